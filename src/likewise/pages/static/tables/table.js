// A table whose columns sort. On a narrow screen its rows become cards; roles are written out, since
// browsers forget those of a table that is not laid out as one.

import { h } from "../parts/dom.js";

// `columns`: {key, label, title?, number?, sorts?, cell(row)}; `sort`: {key, down}.
export function sortableTable({ label, columns, rows, sort, onSort, rowProps }) {
  const head = columns.map((column) => headCell(column, sort, onSort));
  const body = rows.map((row) =>
    h(
      "tr",
      { role: "row", ...(rowProps ? rowProps(row) : {}) },
      columns.map((column) =>
        h("td", { role: "cell", class: classOf(column), "data-label": column.label, "data-column": column.key }, h("div", { class: "cell" }, column.cell(row))),
      ),
    ),
  );
  return h(
    "table",
    { role: "table", class: "rows", "aria-label": label },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head)),
    h("tbody", { role: "rowgroup" }, body),
  );
}

function headCell(column, sort, onSort) {
  const props = { role: "columnheader", scope: "col", class: classOf(column), title: column.title };
  if (!column.sorts || !onSort) return h("th", props, column.hideLabel ? h("span", { class: "unseen" }, column.label) : column.label);
  const sorted = sort?.key === column.key;
  props["aria-sort"] = sorted ? (sort.down ? "descending" : "ascending") : "none";
  const down = sorted ? !sort.down : Boolean(column.number) && !column.upFirst;
  return h(
    "th",
    props,
    h(
      "button",
      { type: "button", class: "sort", "data-sort": column.key, on: { click: () => onSort({ key: column.key, down }) } },
      column.label,
      column.extra ? h("span", { class: "head-note" }, column.extra) : null,
      h("span", { class: "arrow", "aria-hidden": "true" }, sorted ? (sort.down ? "↓" : "↑") : ""),
    ),
  );
}

function classOf(column) {
  return [column.number ? "number" : "", column.className ?? ""].join(" ").trim() || null;
}

// Missing values come last in either order.
export function sortRows(rows, value, down) {
  const turn = down ? -1 : 1;
  return rows
    .map((row) => [value(row), row])
    .sort(([one], [other]) => {
      const [noOne, noOther] = [one === null || one === undefined, other === null || other === undefined];
      if (noOne || noOther) return Number(noOne) - Number(noOther);
      return (one < other ? -1 : one > other ? 1 : 0) * turn;
    })
    .map(([, row]) => row);
}
