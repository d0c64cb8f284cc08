// What is in the margins of every sheet: its title, the dates, the number of the page. Browsers that do
// not know margin boxes ignore them, and print their own header with the title of the document.

const PAGE_FONT = '7.5pt/1.3 "Helvetica Neue", Arial, sans-serif';

// `left` is in the upper left corner, `right` in the upper right, `note` in the lower left. `sections`:
// {name, left} of parts that have another corner; an element is in one by `inSection`.
export class PageMargins {
  set({ left, right, note, sections = [] }) {
    this.clear();
    if (!("adoptedStyleSheets" in document)) return;
    const rules = [`@page { ${marginBox("top-left", cssText(left), "65%")} ${marginBox("top-right", cssText(right), "35%")} ${marginBox("bottom-left", cssText(note), "75%")} ${marginBox("bottom-right", '"Page " counter(page) " of " counter(pages)', "25%")} }`];
    for (const section of sections) rules.push(`@page ${section.name} { @top-left { content: ${cssText(section.left)}; } }`);
    this.sheet = new CSSStyleSheet();
    this.sheet.replaceSync(rules.join("\n"));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
  }

  clear() {
    if (this.sheet) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
    this.sheet = null;
  }
}

export function inSection(element, name) {
  element.style.setProperty("page", name);
  return element;
}

function marginBox(place, content, width) {
  return `@${place} { content: ${content}; width: ${width}; font: ${PAGE_FONT}; color: #333; vertical-align: middle; }`;
}

// Any text as a string of CSS; isolated, since it may change the direction of the line.
function cssText(words) {
  const escaped = [...`\u2068${words}\u2069`].map((sign) => (/[A-Za-z0-9 ]/.test(sign) ? sign : `\\${sign.codePointAt(0).toString(16)} `));
  return `"${escaped.join("")}"`;
}
