import * as api from "./api.js";
import { Grid, source } from "./grid.js";

const by = (id) => document.getElementById(id);
const chosen = { spreadsheet: decodeURIComponent(location.hash.slice(1)), tab: null };
let open = [];

const current = () => open.find((tab) => tab.sheetId === chosen.tab) ?? open[0];

const grid = new Grid(by("grid"), {
  load: (top, bottom) => (current() ? api.rows(chosen.spreadsheet, current().title, top, bottom) : []),
  selected: () => {
    by("place").value = grid.place;
    if (document.activeElement !== by("content")) by("content").value = source(grid.cell);
  },
  edited: typed,
});

// A cell is written only where it still shows what it did when typing began: rows may have moved meanwhile.
async function typed(place, text, before) {
  await attempt(async () => {
    const row = Number(place.match(/\d+/)[0]) - 1;
    const [cells = []] = await api.rows(chosen.spreadsheet, current().title, row, row + 1);
    const column = [...place.match(/[A-Z]+/)[0]].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    if (source(cells[column]) !== before) throw new Error(`${place} has changed or moved meanwhile; nothing was written.`);
    await api.type(chosen.spreadsheet, current().title, place, text);
  });
}

async function attempt(action) {
  try {
    await action();
  } catch (error) {
    const toast = by("toast");
    toast.textContent = error.message;
    toast.hidden = false;
    clearTimeout(toast.timer);
    toast.timer = setTimeout(() => (toast.hidden = true), 6000);
  }
  await refresh();
}

const edit = (...requests) => attempt(() => api.batch(chosen.spreadsheet, ...requests));

const span = (dimension, place) => ({
  range: { sheetId: current().sheetId, dimension, startIndex: place, endIndex: place + 1 },
});

const sort = (sortOrder) =>
  edit({
    sortRange: {
      range: { sheetId: current().sheetId, startRowIndex: by("header").checked ? 1 : 0 },
      sortSpecs: [{ dimensionIndex: grid.column, sortOrder }],
    },
  });

const actions = {
  "insert-row": () => edit({ insertDimension: span("ROWS", grid.row) }),
  "delete-row": () => edit({ deleteDimension: span("ROWS", grid.row) }),
  "insert-column": () => edit({ insertDimension: span("COLUMNS", grid.column) }),
  "delete-column": () => edit({ deleteDimension: span("COLUMNS", grid.column) }),
  "sort-up": () => sort("ASCENDING"),
  "sort-down": () => sort("DESCENDING"),
  "add-tab": async () => {
    const before = new Set(open.map((tab) => tab.sheetId));
    await edit({ addSheet: { properties: {} } });
    show(open.find((tab) => !before.has(tab.sheetId)) ?? current());
  },
};
for (const [id, action] of Object.entries(actions)) by(id).addEventListener("click", action);

by("content").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  typed(grid.place, event.target.value, source(grid.cell));
  by("grid").focus();
});
by("spreadsheet").addEventListener("change", (event) => {
  location.hash = encodeURIComponent(event.target.value);
});
addEventListener("hashchange", () => {
  Object.assign(chosen, { spreadsheet: decodeURIComponent(location.hash.slice(1)), tab: null });
  refresh({ anew: true });
});
addEventListener("resize", () => grid.refresh());

function show(tab) {
  chosen.tab = tab.sheetId;
  draw({ anew: true });
}

function draw({ anew = false } = {}) {
  const tabs = open.map((tab) => {
    const node = Object.assign(document.createElement("button"), { textContent: tab.title });
    node.role = "tab";
    node.ariaSelected = String(tab === current());
    const colour = tab.tabColorStyle?.rgbColor;
    if (colour) {
      const swatch = Object.assign(document.createElement("span"), { className: "swatch" });
      swatch.style.background = `rgb(${["red", "green", "blue"].map((name) => 255 * (colour[name] ?? 0)).join(" ")})`;
      node.prepend(swatch);
    }
    node.addEventListener("click", () => show(tab));
    node.addEventListener("dblclick", () => {
      const title = prompt("Title of the tab", tab.title);
      if (title) edit({ updateSheetProperties: { properties: { sheetId: tab.sheetId, title }, fields: "title" } });
    });
    return node;
  });
  by("tabs").replaceChildren(...tabs);
  const size = current()?.gridProperties ?? { rowCount: 1, columnCount: 1 };
  grid.open(size.rowCount, size.columnCount, { anew });
  return grid.refresh();
}

async function refresh({ anew = false } = {}) {
  const all = await api.spreadsheets();
  if (!all.some((one) => one.id === chosen.spreadsheet)) {
    Object.assign(chosen, { spreadsheet: all[0]?.id ?? "", tab: null });
  }
  const options = all.map((one) => new Option(one.title, one.id, false, one.id === chosen.spreadsheet));
  by("spreadsheet").replaceChildren(...options);
  open = chosen.spreadsheet ? (await api.tabs(chosen.spreadsheet)).filter((tab) => !tab.hidden) : [];
  const { calls } = await api.stats();
  by("stats").textContent = `${calls.read ?? 0} reads · ${calls.write ?? 0} writes`;
  await draw({ anew });
}

// Many changes in a moment are shown together.
let waiting = null;
api.watch(
  () => {
    waiting ??= setTimeout(async () => {
      waiting = null;
      await refresh().catch(() => {});
    }, 60);
  },
  (live) => {
    by("state").textContent = live ? "live" : "reconnecting";
    by("state").classList.toggle("live", live);
  },
);
