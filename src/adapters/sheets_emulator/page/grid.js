// A grid of which only the rows in sight are there.
const MARGIN = 12;
const WIDTH = { least: 92, most: 340, letter: 8.2, around: 20 };

export function letters(column) {
  let text = "";
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26)) text = String.fromCharCode(65 + ((n - 1) % 26)) + text;
  return text;
}

export const text = (cell) => cell?.formattedValue ?? "";

// What a person would edit: the formula rather than what it shows.
export const source = (cell) => cell?.userEnteredValue?.formulaValue ?? text(cell);

const element = (kind, classes, content = "") =>
  Object.assign(document.createElement(kind), { className: classes, textContent: content });

export class Grid {
  // `load(top, bottom)` gives the cells of rows, `selected()` is called when the selection moves, `edited(…)` with what was
  // typed: place, text, and the text that was there when typing began.
  constructor(root, { load, selected, edited }) {
    Object.assign(this, { root, load, selected, edited });
    this.row = this.column = this.top = 0;
    this.rowCount = this.columnCount = 1;
    this.cells = [];
    this.shown = new Map();
    this.widths = [];
    this.editing = null;
    this.sheet = element("div", "sheet");
    this.head = element("div", "letters");
    this.sheet.append(this.head);
    root.append(this.sheet);
    root.addEventListener("scroll", () => this.refresh());
    root.addEventListener("mousedown", (event) => this.#point(event));
    root.addEventListener("dblclick", () => this.edit());
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  get height() {
    return parseFloat(getComputedStyle(this.root).getPropertyValue("--row"));
  }

  get place() {
    return `${letters(this.column)}${this.row + 1}`;
  }

  get cell() {
    return this.cells[this.row - this.top]?.[this.column];
  }

  // Show another tab, or the same one at another size.
  open(rowCount, columnCount, { anew }) {
    this.rowCount = rowCount;
    this.columnCount = columnCount;
    if (anew) {
      this.shown.clear();
      this.widths = [];
      this.root.scrollTo(0, 0);
    }
    this.row = anew ? 0 : Math.min(this.row, rowCount - 1);
    this.column = anew ? 0 : Math.min(this.column, columnCount - 1);
    this.sheet.style.height = `${(rowCount + 1) * this.height}px`;
  }

  async refresh() {
    const top = Math.max(0, Math.floor(this.root.scrollTop / this.height) - MARGIN);
    const bottom = Math.min(this.rowCount, Math.ceil((this.root.scrollTop + this.root.clientHeight) / this.height) + MARGIN);
    const turn = (this.turn = Symbol("the latest refresh"));
    const cells = await this.load(top, Math.max(bottom, top + 1));
    if (turn !== this.turn) return;
    this.cells = cells;
    this.top = top;
    if (!this.editing) this.#draw(bottom);
  }

  #draw(bottom) {
    this.#widen();
    const seen = new Map();
    const rows = [];
    for (let row = this.top; row < bottom; row++) {
      const line = element("div", row === 0 ? "row first" : "row");
      line.style.top = `${(row + 1) * this.height}px`;
      line.append(element("div", row === this.row ? "number-of-row on" : "number-of-row", row + 1));
      for (let column = 0; column < this.columnCount; column++) line.append(this.#cell(row, column, seen));
      rows.push(line);
    }
    const heads = Array.from({ length: this.columnCount }, (_, n) => {
      const head = element("div", n === this.column ? "on" : "", letters(n));
      head.style.width = `${this.widths[n]}px`;
      return head;
    });
    this.head.replaceChildren(element("div", ""), ...heads);
    this.sheet.replaceChildren(this.head, ...rows);
    this.shown = seen;
    this.selected();
  }

  // Columns grow with what is in sight, and never shrink under the reader's eyes.
  #widen() {
    for (let column = 0; column < this.columnCount; column++) {
      const longest = Math.max(0, ...this.cells.map((row) => text(row[column]).length));
      const wanted = Math.min(WIDTH.most, longest * WIDTH.letter + WIDTH.around);
      this.widths[column] = Math.max(WIDTH.least, this.widths[column] ?? 0, wanted);
    }
  }

  #cell(row, column, seen) {
    const cell = this.cells[row - this.top]?.[column];
    const shown = text(cell);
    const key = `${row}:${column}`;
    const node = element("div", "cell", shown);
    node.style.width = `${this.widths[column]}px`;
    node.dataset.place = `${letters(column)}${row + 1}`;
    Object.assign(node.dataset, { row, column });
    seen.set(key, shown);
    const format = cell?.userEnteredFormat;
    node.classList.toggle("number", cell?.effectiveValue?.numberValue !== undefined);
    node.classList.toggle("bold", format?.textFormat?.bold === true);
    node.classList.toggle("noted", cell?.note !== undefined);
    node.classList.toggle("selected", row === this.row && column === this.column);
    node.classList.toggle("changed", this.shown.has(key) && this.shown.get(key) !== shown);
    if (cell?.note || shown.length > 18) node.title = cell?.note ?? shown;
    if (format?.backgroundColor) {
      const { red = 0, green = 0, blue = 0 } = format.backgroundColor;
      node.style.backgroundColor = `rgb(${255 * red} ${255 * green} ${255 * blue})`;
      node.style.color = red + green + blue > 1.2 ? "#1d2521" : "#fff";
    }
    return node;
  }

  select(row, column) {
    this.row = Math.max(0, Math.min(row, this.rowCount - 1));
    this.column = Math.max(0, Math.min(column, this.columnCount - 1));
    const [above, below] = [this.row * this.height, (this.row + 2) * this.height];
    if (this.root.scrollTop > above) this.root.scrollTop = above;
    if (this.root.scrollTop + this.root.clientHeight < below) this.root.scrollTop = below - this.root.clientHeight;
    for (const node of this.sheet.querySelectorAll(".cell.selected")) node.classList.remove("selected");
    for (const node of this.sheet.querySelectorAll(".on")) node.classList.remove("on");
    const node = this.sheet.querySelector(`[data-place=${this.place}]`);
    node?.classList.add("selected");
    node?.parentElement.firstElementChild.classList.add("on");
    this.head.children[this.column + 1]?.classList.add("on");
    this.selected();
  }

  edit(first) {
    const node = this.sheet.querySelector(`[data-place=${this.place}]`);
    if (this.editing || !node) return;
    const input = element("input", "");
    input.value = first ?? source(this.cell);
    this.editing = { place: this.place, before: source(this.cell) };
    node.replaceChildren(input);
    input.focus();
    input.addEventListener("blur", () => this.#finish(input.value, { keep: true }));
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") this.#finish("", { keep: false });
      else if (event.key === "Enter" || event.key === "Tab") {
        event.preventDefault();
        this.#finish(input.value, { keep: true });
        this.root.focus();
        this.select(this.row + (event.key === "Enter"), this.column + (event.key === "Tab"));
      }
    });
  }

  async #finish(value, { keep }) {
    const editing = this.editing;
    if (!editing) return;
    this.editing = null;
    if (keep && value !== editing.before) await this.edited(editing.place, value, editing.before);
    await this.refresh();
  }

  #point(event) {
    const { target } = event;
    if (target.closest("input")) return;
    if (target.dataset.place) this.select(Number(target.dataset.row), Number(target.dataset.column));
    else if (target.matches(".number-of-row")) this.select(Number(target.textContent) - 1, this.column);
    else if (target.parentElement === this.head) this.select(this.row, [...this.head.children].indexOf(target) - 1);
  }

  #key(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Tab: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step) this.select(this.row + step[0], this.column + step[1]);
    else if (event.key === "Enter" || event.key === "F2") this.edit();
    else if (event.key === "Delete" || event.key === "Backspace") this.edited(this.place, "", source(this.cell));
    else if (event.key.length === 1) this.edit(event.key);
    else return;
    event.preventDefault();
  }
}
