// The attention explorer: heads on the left, the chosen head's weights in the middle, below them the words.
// First the mathematics, pure functions without a page; then one view built of small parts. Loaded by anywidget.

// --- Mathematics ---------------------------------------------------------------------------------------------

/** The softmax of logits divided by a temperature, into `out`; -Infinity, a hidden key, stays exactly 0. */
export function softmax(logits, temperature, out = new Float32Array(logits.length)) {
  let largest = -Infinity;
  for (const logit of logits) if (logit > largest) largest = logit;
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += out[i] = Math.exp((logits[i] - largest) / temperature);
  for (let i = 0; i < logits.length; i++) out[i] /= sum;
  return out;
}

/** The softmax of each row of `columns` logits; at temperature 1 the weights exactly as they were given. */
export function sharpen(weights, logits, columns, temperature, out = new Float32Array(logits.length)) {
  if (temperature === 1) {
    out.set(weights);
    return out;
  }
  for (let start = 0; start < logits.length; start += columns) {
    const end = start + columns;
    softmax(logits.subarray(start, end), temperature, out.subarray(start, end));
  }
  return out;
}

/** A slider's position, from -1 to 1, as a temperature, from 0.1 to 10; the middle is exactly 1. */
export function temperatureAt(position) {
  return 10 ** position;
}

/** The positions of the `count` largest numbers, the largest first, of equal ones the first first. */
export function largest(shares, count) {
  const order = Array.from(shares.keys()).sort((a, b) => shares[b] - shares[a] || a - b);
  return order.slice(0, count).filter((i) => shares[i] > 0);
}

/** A share in two digits, or in `digits`; a share of exactly 0, a hidden key, is written so. */
export function written(share, digits = 2) {
  const least = 10 ** -digits;
  if (share === 0) return "0";
  return share < least / 2 ? `<${least.toFixed(digits)}` : share.toFixed(digits);
}

// matplotlib's cividis at 33 places.
const CIVIDIS = [
  [0, 34, 78], [0, 40, 91], [0, 46, 106], [5, 51, 113], [26, 56, 111], [39, 62, 110], [50, 67, 109],
  [59, 73, 108], [67, 78, 108], [75, 84, 108], [83, 90, 109], [90, 95, 110], [97, 101, 111], [104, 106, 113],
  [111, 112, 115], [118, 118, 118], [125, 124, 120], [132, 130, 121], [140, 136, 120], [147, 142, 120],
  [155, 148, 118], [163, 154, 116], [171, 160, 114], [180, 167, 111], [188, 174, 108], [196, 180, 104],
  [205, 187, 99], [213, 194, 94], [222, 201, 88], [231, 209, 80], [240, 216, 70], [249, 224, 58], [254, 232, 56],
];

/** The color of a share from 0 to 1, as [red, green, blue]. */
export function color(share) {
  const place = Math.min(Math.max(share, 0), 1) * (CIVIDIS.length - 1);
  const below = Math.min(Math.floor(place), CIVIDIS.length - 2);
  return CIVIDIS[below].map((from, i) => Math.round(from + (place - below) * (CIVIDIS[below + 1][i] - from)));
}

/** Black or white, whichever is easier to read on a color (WCAG's relative luminance). */
export function ink(rgb) {
  const [r, g, b] = rgb.map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000" : "#fff";
}

/** A template with its placeholders filled; a value's own braces stay. */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** What a query attends to, in words. */
export function sentence(query, keys, shares, words) {
  const named = largest(shares, 3).map((i) => fill(words.named, { key: keys[i], share: written(shares[i]) }));
  const keysInOrder = named.reduceRight((second, first) => fill(words.then, { first, second }));
  return fill(words.sentence, { query, keys: keysInOrder });
}

/** Whether what is chosen is a row of a task; beyond a low or high temperature counts as at it. */
export function shows(chosen, row) {
  if (chosen.head !== row.head || chosen.query !== row.query) return false;
  if (row.temperature === 1) return chosen.temperature === 1;
  return row.temperature < 1 ? chosen.temperature <= row.temperature : chosen.temperature >= row.temperature;
}

// --- Parts of the page ---------------------------------------------------------------------------------------

const SHADES = Array.from({ length: 256 }, (_, i) => color(i / 255));
const PIXELS = new Uint32Array(new Uint8Array(SHADES.flatMap((rgb) => [...rgb, 255])).buffer);
const NAMED_CELL = 12; // pixels that a row needs for a label of its own
const THUMBNAIL_DELAY = 80; // milliseconds
const MATRIX_HEIGHT = 512;
const CHANGING = ["head", "query", "key", "temperature", "seen"];
const PADDING = 20; // around the matrix, with its marks

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** The parts of a template with a node in the place of a name. */
function around(template, name, node) {
  const [before, after] = template.split(`{${name}}`);
  return [before, node, after];
}

/** Change a text if it has changed: the page need not be laid out again for the others. */
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function css(rgb) {
  return `rgb(${rgb.join(",")})`;
}

/** Paint rows of shares, one pixel each. */
function paint(canvas, shares) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < shares.length; i++) pixels[i] = PIXELS[Math.round(Math.min(shares[i], 1) * 255)];
  context.putImageData(image, 0, 0);
}

/** A group of which one is chosen: one stop of the Tab key, arrows move. Returns {node, items, choose}. */
function radios(name, className, contents, onChoose) {
  const items = contents.map((content, i) => {
    const item = element("button", { type: "button", role: "radio", "aria-checked": "false", tabindex: "-1" });
    item.append(...content);
    item.addEventListener("click", () => onChoose(i));
    return item;
  });
  const node = element("div", { role: "radiogroup", "aria-label": name, class: className }, ...items);
  let chosen = 0;
  node.addEventListener("keydown", (event) => {
    const moved = step(event, chosen, items.length, ["ArrowLeft", "ArrowUp"], ["ArrowRight", "ArrowDown"]);
    if (moved === null) return;
    onChoose(moved);
    items[moved].focus();
  });
  function choose(i) {
    for (const [at, state] of [[chosen, false], [i, true]]) {
      items[at].setAttribute("aria-checked", String(state));
      items[at].tabIndex = state ? 0 : -1;
    }
    chosen = i;
  }
  return { node, items, choose };
}

/** Where a key leads from a place in a row of `count`, or null; such a key does nothing else. */
function step(event, from, count, back, forth) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  let to = null;
  if (back.includes(event.key)) to = Math.max(from - 1, 0);
  else if (forth.includes(event.key)) to = Math.min(from + 1, count - 1);
  else if (event.key === "Home") to = 0;
  else if (event.key === "End") to = count - 1;
  if (to !== null) event.preventDefault();
  return to;
}

/** The width in pixels of the longest word. */
function longest(words, node) {
  const context = document.createElement("canvas").getContext("2d");
  const style = getComputedStyle(node);
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  return Math.ceil(Math.max(...words.map((word) => context.measureText(word).width)));
}

function numbersOf(view) {
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

// --- The view ------------------------------------------------------------------------------------------------

class View {
  constructor(model, root) {
    this.model = model;
    this.queries = model.get("query_words");
    this.keys = model.get("key_words");
    this.heads = model.get("head_names");
    this.words = model.get("words");
    this.tasks = model.get("tasks");
    this.weights = numbersOf(model.get("weights"));
    this.logits = numbersOf(model.get("logits"));
    this.shares = new Float32Array(this.weights.length);
    this.computed = this.heads.map(() => null); // at which temperature each head's shares are
    this.pending = null;
    this.root = root;
    this.build();
    this.drawTemperature();
    this.observer = new ResizeObserver(() => this.layOut());
    this.observer.observe(root);
    window.addEventListener("keydown", this.keepKey, true);
    this.listener = () => this.request();
    for (const name of CHANGING) model.on(`change:${name}`, this.listener);
  }

  get(name) {
    return this.model.get(name);
  }

  /** Choose: kept in the page's model, never sent to the kernel. */
  set(changes) {
    for (const [name, value] of Object.entries(changes)) this.model.set(name, value);
  }

  /** The shares of a head, all or those of a query, at the chosen temperature; computed when first asked for. */
  of(head, query = null) {
    const columns = this.keys.length;
    const size = this.queries.length * columns;
    const temperature = this.get("temperature");
    const all = this.shares.subarray(head * size, (head + 1) * size);
    if (this.computed[head] !== temperature) {
      const part = (numbers) => numbers.subarray(head * size, (head + 1) * size);
      sharpen(part(this.weights), part(this.logits), columns, temperature, all);
      this.computed[head] = temperature;
    }
    return query === null ? all : all.subarray(query * columns, (query + 1) * columns);
  }

  // Building: once.

  build() {
    const count = this.heads.length;
    this.root.classList.add("attention-explorer");
    this.root.setAttribute("role", "group");
    this.root.setAttribute("lang", this.model.get("language"));
    this.root.setAttribute("aria-label", this.words.explorer);
    this.said = element("p", { class: "ae-said", "aria-hidden": "true" });
    this.live = element("div", { class: "ae-unseen", role: "status", "aria-live": "polite" });
    this.tip = element("div", { class: "ae-tip", "aria-hidden": "true" });
    const top = element("div", { class: "ae-top" });
    if (count > 1) top.append(this.buildHeads());
    top.append(this.buildMatrix());
    this.root.append(top, this.buildTemperature(), this.buildWords(), this.said, this.live, this.tip);
    if (this.tasks.length > 0) this.root.append(this.buildTasks());
  }

  buildHeads() {
    this.thumbnails = this.heads.map(() => {
      return element("canvas", { width: this.keys.length, height: this.queries.length, "aria-hidden": "true" });
    });
    const contents = this.heads.map((name, i) => [this.thumbnails[i], element("span", {}, name)]);
    this.headChoice = radios(this.words.head, "ae-heads", contents, (head) => this.set({ head }));
    this.headChoice.node.classList.toggle("ae-many", this.heads.length > 6);
    return this.headChoice.node;
  }

  buildMatrix() {
    const [rows, columns] = [this.queries.length, this.keys.length];
    this.canvas = element("canvas", { width: columns, height: rows, "aria-hidden": "true" });
    this.rowMark = element("div", { class: "ae-row-mark" });
    this.cellMark = element("div", { class: "ae-cell-mark" });
    this.inCells = element("div", { class: "ae-in-cells", "aria-hidden": "true" });
    this.cell = element("div", { role: "gridcell", id: `ae-${Math.random().toString(36).slice(2)}` });
    this.row = element("div", { role: "row", class: "ae-unseen" }, this.cell);
    this.grid = element(
      "div",
      {
        role: "grid", tabindex: "0", class: "ae-grid", "aria-activedescendant": this.cell.id,
        "aria-rowcount": rows, "aria-colcount": columns,
      },
      this.canvas, this.inCells, this.rowMark, this.cellMark, this.row,
    );
    this.grid.addEventListener("keydown", (event) => this.onGridKey(event));
    this.grid.addEventListener("pointermove", (event) => this.onGridHover(event));
    this.grid.addEventListener("pointerleave", () => this.hideTip());
    this.grid.addEventListener("click", (event) => this.set(this.under(event)));
    this.rowNames = this.queries.map((word) => element("span", {}, word));
    this.columnNames = this.keys.map((word) => element("span", {}, word));
    this.rowLabels = element("div", { class: "ae-row-names", "aria-hidden": "true" }, ...this.rowNames);
    this.columnLabels = element("div", { class: "ae-column-names", "aria-hidden": "true" }, ...this.columnNames);
    this.title = element("span", { class: "ae-title", "aria-hidden": "true" });
    this.matrix = element(
      "div",
      { class: "ae-matrix" },
      element("div", { class: "ae-corner" }, ...around(this.words.matrix, "head", this.title)),
      this.columnLabels, this.rowLabels, this.grid,
    );
    return element("div", { class: "ae-middle" }, this.matrix);
  }

  buildTemperature() {
    this.slider = element("input", {
      type: "range", min: "-1", max: "1", step: "0.025", "aria-label": this.words.slider,
    });
    this.slider.addEventListener("input", () => {
      this.set({ temperature: temperatureAt(Number(this.slider.value)) });
    });
    this.reading = element("output", { class: "ae-reading" });
    const reset = element("button", { type: "button", class: "ae-reset" }, this.words.reset);
    reset.addEventListener("click", () => this.set({ temperature: 1 }));
    return element(
      "div",
      { class: "ae-temperature" },
      element("span", { class: "ae-name" }, ...around(this.words.reading, "value", this.reading)),
      element(
        "span",
        { class: "ae-range" },
        element("span", {}, this.words.sharper), this.slider, element("span", {}, this.words.flatter),
      ),
      reset,
      element("span", { class: "ae-note" }, this.words.note),
    );
  }

  buildWords() {
    this.bars = this.keys.map((word, i) => {
      const bar = element("div", { class: "ae-bar" });
      const number = element("span", { class: "ae-number" });
      const name = element("span", { class: "ae-word" }, word);
      const node = element("div", { role: "listitem", class: "ae-key" }, number, bar, name);
      node.addEventListener("pointermove", (event) => this.showTip(event, this.get("query"), i));
      node.addEventListener("pointerleave", () => this.hideTip());
      node.addEventListener("click", () => this.set({ key: i }));
      return { node, bar, number, name };
    });
    const list = element("div", { role: "list", class: "ae-keys" }, ...this.bars.map(({ node }) => node));
    list.setAttribute("aria-label", this.words.list);
    this.links = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.links.setAttribute("class", "ae-links");
    this.links.setAttribute("aria-hidden", "true");
    this.links.setAttribute("viewBox", "0 0 1 1");
    this.links.setAttribute("preserveAspectRatio", "none");
    this.curves = this.keys.map(() => {
      const curve = document.createElementNS("http://www.w3.org/2000/svg", "path");
      this.links.append(curve);
      return curve;
    });
    const contents = this.queries.map((word) => [word]);
    this.queryChoice = radios(this.words.query, "ae-queries", contents, (query) => this.set({ query }));
    this.wordsBox = element(
      "div",
      { class: "ae-words" },
      element("div", { class: "ae-name ae-of-keys" }, this.words.keys),
      list, this.links, this.queryChoice.node,
      element("div", { class: "ae-name ae-of-queries" }, this.words.queries),
    );
    return this.wordsBox;
  }

  /** What to try: below each task a line for each of its rows, filled when the row has been on the screen. */
  buildTasks() {
    this.answers = [];
    const tasks = this.tasks.map(({ ask, rows }) => {
      const count = element("span", { class: "ae-count" });
      const lines = rows.map(() => element("li"));
      this.answers.push(...rows.map((row, i) => ({ row, line: lines[i], count, of: lines })));
      const list = element("ul", { "aria-live": "polite" }, ...lines);
      const asked = element("p", {}, fill(this.words.try, { task: ask }), " ", count);
      return element("div", { class: "ae-task" }, asked, list);
    });
    return element("div", { class: "ae-tasks" }, ...tasks);
  }

  // Reacting: at most one drawing a frame, of what has changed.

  request() {
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.draw();
    });
  }

  draw() {
    if (this.get("temperature") !== this.drawn.temperature) this.drawTemperature();
    else if (this.get("head") !== this.drawn.head) this.drawHead();
    else this.drawQuery();
  }

  drawTemperature() {
    const temperature = this.get("temperature");
    this.reading.textContent = temperature.toFixed(2);
    const position = Math.log10(temperature);
    if (Math.abs(Number(this.slider.value) - position) > 0.001) this.slider.value = String(position);
    this.slider.setAttribute("aria-valuetext", temperature.toFixed(2));
    this.drawHead();
    // The small pictures may follow a moving slider less often than the large one.
    this.following ??= setTimeout(() => {
      this.following = null;
      this.thumbnails?.forEach((canvas, head) => paint(canvas, this.of(head)));
    }, THUMBNAIL_DELAY);
  }

  drawHead() {
    const head = this.get("head");
    const shares = this.of(head);
    paint(this.canvas, shares);
    [...this.inCells.children].forEach((span, i) => {
      write(span, written(shares[i]));
      span.style.color = ink(SHADES[Math.round(Math.min(shares[i], 1) * 255)]);
    });
    this.headChoice?.choose(head);
    this.title.textContent = this.heads[head];
    this.grid.setAttribute("aria-label", fill(this.words.grid, { head: this.heads[head] }));
    this.drawQuery();
  }

  drawQuery() {
    const { query, key } = { query: this.get("query"), key: this.get("key") };
    const shares = this.of(this.get("head"), query);
    this.queryChoice.choose(query);
    this.bars.forEach(({ node, bar, number, name }, i) => {
      const rgb = color(shares[i]);
      write(number, written(shares[i]));
      number.classList.toggle("ae-little", shares[i] < 0.01);
      bar.style.setProperty("--share", shares[i]);
      name.style.background = css(rgb);
      name.style.color = ink(rgb);
      node.classList.toggle("ae-chosen", i === key);
    });
    if (this.linked) this.drawLinks(query, shares);
    this.rowNames.forEach((name, i) => name.classList.toggle("ae-chosen", i === query));
    this.columnNames.forEach((name, i) => name.classList.toggle("ae-chosen", i === key));
    this.mark(query, key);
    this.say(query, key, shares);
    if (this.tasks.length > 0) this.answer();
    this.drawn = { head: this.get("head"), query, key, temperature: this.get("temperature") };
  }

  drawLinks(query, shares) {
    const from = (query + 0.5) / this.queries.length;
    this.curves.forEach((curve, i) => {
      const to = (i + 0.5) / this.keys.length;
      curve.setAttribute("d", `M ${from} 1 C ${from} 0.4 ${to} 0.6 ${to} 0`);
      curve.style.strokeWidth = `${1 + 9 * shares[i]}px`;
      curve.style.opacity = shares[i] === 0 ? 0 : 0.12 + 0.8 * shares[i];
    });
  }

  mark(query, key) {
    const [width, height] = [100 / this.keys.length, 100 / this.queries.length];
    Object.assign(this.rowMark.style, { top: `${query * height}%`, height: `${height}%` });
    Object.assign(this.cellMark.style, {
      top: `${query * height}%`, height: `${height}%`, left: `${key * width}%`, width: `${width}%`,
    });
    this.row.setAttribute("aria-rowindex", query + 1);
    this.cell.setAttribute("aria-colindex", key + 1);
    this.cell.textContent = this.pair(query, key);
  }

  /** Say in words what is chosen: at once for eyes, for ears when the hand rests. */
  say(query, key, shares) {
    const chosen = fill(this.words.share, { key: this.keys[key], share: written(shares[key], 4) });
    const most = sentence(this.queries[query], this.keys, shares, this.words);
    const head = this.heads[this.get("head")];
    const told = this.heads.length > 1 ? fill(this.words.inHead, { head, sentence: most }) : most;
    this.said.textContent = `${told} ${chosen}`;
    const temperature = this.get("temperature").toFixed(2);
    const place = fill(this.words.place, { number: query + 1, count: this.queries.length, temperature });
    clearTimeout(this.saying);
    this.saying = setTimeout(() => {
      this.live.textContent = `${this.said.textContent} ${place}`;
    }, 400);
  }

  /** Tell the answers of the rows that are chosen now or were before. */
  answer() {
    const chosen = { head: this.get("head"), query: this.get("query"), temperature: this.get("temperature") };
    const before = this.get("seen");
    const found = this.answers.flatMap(({ row }, i) => (!before.includes(i) && shows(chosen, row) ? [i] : []));
    if (found.length > 0) this.set({ seen: [...before, ...found] });
    for (const i of this.get("seen")) {
      write(this.answers[i].line, this.answers[i].row.seen);
    };
    for (const { count, of } of this.answers) {
      const seen = of.filter((line) => line.textContent).length;
      write(count, fill(this.words.count, { seen, count: of.length }));
    }
  }

  pair(query, key) {
    const share = written(this.of(this.get("head"), query)[key], 4);
    return fill(this.words.pair, { query: this.queries[query], key: this.keys[key], share });
  }

  // JupyterLab looks at keys before the explorer does, and would insert a cell at "a" and take the arrows. It leaves
  // alone an element with this attribute; Ctrl+S and Shift+Enter it may have.
  keepKey = (event) => {
    if (!this.root.contains(event.target)) return;
    const own = !event.ctrlKey && !event.metaKey && !event.altKey && !(event.shiftKey && event.key === "Enter");
    event.target.toggleAttribute("data-lm-suppress-shortcuts", own);
  };

  // The matrix under hand and keyboard.

  under(event) {
    const box = this.canvas.getBoundingClientRect();
    const at = (offset, size, count) => Math.min(Math.max(Math.floor((offset / size) * count), 0), count - 1);
    return {
      query: at(event.clientY - box.top, box.height, this.queries.length),
      key: at(event.clientX - box.left, box.width, this.keys.length),
    };
  }

  onGridKey(event) {
    const query = step(event, this.get("query"), this.queries.length, ["ArrowUp"], ["ArrowDown"]);
    if (query !== null && event.key.startsWith("Arrow")) return this.set({ query });
    const key = step(event, this.get("key"), this.keys.length, ["ArrowLeft"], ["ArrowRight"]);
    if (key !== null) this.set({ key });
  }

  onGridHover(event) {
    const { query, key } = this.under(event);
    this.showTip(event, query, key);
  }

  showTip(event, query, key) {
    const head = this.get("head");
    const index = (head * this.queries.length + query) * this.keys.length + key;
    const share = written(this.of(head, query)[key], 4);
    const score = this.get("scored") ? ` · ${fill(this.words.score, { score: this.logits[index].toFixed(2) })}` : "";
    this.tip.textContent = `“${this.queries[query]}” → “${this.keys[key]}”  ${share}${score}`;
    const box = this.root.getBoundingClientRect();
    this.tip.classList.add("ae-shown");
    const left = Math.min(event.clientX - box.left + 12, box.width - this.tip.offsetWidth - 2);
    Object.assign(this.tip.style, { left: `${Math.max(left, 0)}px`, top: `${event.clientY - box.top + 16}px` });
  }

  hideTip() {
    this.tip.classList.remove("ae-shown");
  }

  // Fitting into the width there is.

  layOut() {
    const width = this.root.clientWidth;
    if (width === 0 || width === this.width) return;
    this.width = width;
    const [rows, columns] = [this.queries.length, this.keys.length];
    const margin = Math.min(longest(this.queries, this.rowLabels), 96) + 10;
    const narrow = width < 560;
    this.root.classList.toggle("ae-narrow", narrow);
    const beside = this.headChoice && !narrow ? this.headChoice.node.offsetWidth + 24 : 0;
    const room = Math.min(Math.floor((width - beside - margin - PADDING) / columns), Math.floor(MATRIX_HEIGHT / rows));
    const cell = Math.max(Math.min(room, 64), 2);
    const tall = Math.min(cell, 44);
    Object.assign(this.grid.style, { width: `${cell * columns}px`, height: `${tall * rows}px` });
    this.matrix.style.setProperty("--margin", `${margin}px`);
    this.matrix.classList.toggle("ae-sparse-rows", tall < NAMED_CELL);
    this.matrix.classList.toggle("ae-sparse-columns", cell < NAMED_CELL);
    const word = longest(this.keys, this.columnLabels);
    this.matrix.classList.toggle("ae-upright", word + 6 > cell && cell >= NAMED_CELL);
    this.matrix.style.setProperty("--upright", `${Math.min(word, 96) + 10}px`);
    this.place(this.rowNames, "top", tall);
    this.place(this.columnNames, "left", cell);
    this.fitWords(width - PADDING + 4);
    this.fillCells(cell >= 30 && tall >= 18 && rows * columns <= 256);
  }

  /** Link the words if all fit into one line, in smaller letters if need be. */
  fitWords(width) {
    const [rows, columns] = [this.queries.length, this.keys.length];
    const word = longest([...this.keys, ...this.queries], this.root);
    const room = width / Math.max(rows, columns);
    this.linked = Math.max(0.85 * word + 2, 32) <= room;
    this.wordsBox.classList.toggle("ae-linked", this.linked);
    this.wordsBox.classList.toggle("ae-tight", word + 14 > room);
    this.wordsBox.style.setProperty("--column", `${Math.min(Math.max(word + 14, 56), 120)}px`);
    this.wordsBox.style.setProperty("--keys", columns);
    this.wordsBox.style.setProperty("--queries", rows);
  }

  place(names, side, size) {
    names.forEach((name, i) => {
      name.style[side] = `${(i + 0.5) * size}px`;
      name.style.setProperty("--size", `${size}px`);
    });
  }

  fillCells(filled) {
    const count = filled ? this.queries.length * this.keys.length : 0;
    this.inCells.style.setProperty("--keys", this.keys.length);
    if (this.inCells.children.length !== count) {
      this.inCells.replaceChildren(...Array.from({ length: count }, () => element("span")));
    }
    this.drawHead();
  }

  remove() {
    this.observer.disconnect();
    window.removeEventListener("keydown", this.keepKey, true);
    clearTimeout(this.saying);
    clearTimeout(this.following);
    if (this.pending !== null) cancelAnimationFrame(this.pending);
    for (const name of CHANGING) this.model.off(`change:${name}`, this.listener);
  }
}

function render({ model, el }) {
  const root = element("div");
  el.append(root);
  const view = new View(model, root);
  return () => view.remove();
}

export default { render };
