// Calls of the API as the owner of everything: no token, no quota, not counted.
const OWNER = "/_emulator/owner/v4/spreadsheets";

async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.error?.message ?? `HTTP ${answer.status}`);
  return content;
}

export const quoted = (title) => `'${title.replaceAll("'", "''")}'`;

export const spreadsheets = async () => (await call("GET", "/_emulator/spreadsheets")).spreadsheets;

export const stats = () => call("GET", "/_emulator/stats");

export const tabs = async (id) =>
  (await call("GET", `${OWNER}/${id}?fields=sheets.properties`)).sheets.map((sheet) => sheet.properties);

const CELL = "formattedValue,userEnteredValue,effectiveValue.numberValue,note,userEnteredFormat(backgroundColor,textFormat.bold)";

// The rows of a tab from `top` to before `bottom`.
export async function rows(id, title, top, bottom) {
  const range = encodeURIComponent(`${quoted(title)}!${top + 1}:${bottom}`);
  const fields = encodeURIComponent(`sheets.data.rowData.values(${CELL})`);
  const body = await call("GET", `${OWNER}/${id}?ranges=${range}&fields=${fields}`);
  return (body.sheets[0].data[0].rowData ?? []).map((row) => row.values ?? []);
}

export const batch = (id, ...requests) => call("POST", `${OWNER}/${id}:batchUpdate`, { requests });

export const type = (id, title, place, text) =>
  call("PUT", `${OWNER}/${id}/values/${encodeURIComponent(`${quoted(title)}!${place}`)}?valueInputOption=USER_ENTERED`, {
    values: [[text]],
  });

// Calls `told` after each change of anything, and `state` with whether the emulator is there.
export function watch(told, state) {
  const source = new EventSource("/_emulator/events");
  source.onopen = () => state(true);
  source.onerror = () => state(false);
  source.onmessage = told;
}
