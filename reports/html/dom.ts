/** Value that a template accepts; a string becomes a text node. */
export type NodeContent = Node | string | number | undefined | readonly NodeContent[];

const svgNamespace = 'http://www.w3.org/2000/svg';
const svgNames: ReadonlySet<string> = new Set(['svg', 'g', 'path', 'rect', 'line', 'text']);

function flatten(content: NodeContent): (Node | string)[] {
  if (content === undefined) return [];
  if (typeof content === 'number') return [String(content)];
  return typeof content === 'string' || content instanceof Node ? [content] : content.flatMap(flatten);
}

function create(name: string, parent: Node): Element {
  const isDrawn = svgNames.has(name) || (parent instanceof SVGElement && name === 'title');
  return isDrawn ? document.createElementNS(svgNamespace, name) : document.createElement(name);
}

/** Tokens of a template: outside a tag (end tag, start of a tag, text), inside a tag, and inside a value. */
const outsidePattern = /<\/\w+>|<(\w+)|[^<]+/y;
const insidePattern = / ([\w-]+)="|(\/?>)/y;
const quotedPattern = /([^"]*)("?)/y;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) throw new Error(`no markup: ${text.slice(at)}`);
  return found;
}

/** The tag of `src/report/html/links.ts` for nodes: an inserted value is never parsed as markup. */
export function html(strings: TemplateStringsArray, ...values: readonly NodeContent[]): DocumentFragment {
  const root = document.createDocumentFragment();
  let parent: ParentNode = root;
  let tag: Element | undefined;
  let attribute = '';
  let content = '';
  for (const [index, text] of strings.entries()) {
    for (let at = 0; at < text.length; ) {
      if (tag === undefined) {
        const [found, begun] = match(outsidePattern, text, at);
        at += found.length;
        if (begun !== undefined) tag = create(begun, parent);
        else if (found.startsWith('<')) parent = parent.parentNode ?? root;
        else parent.append(found);
      } else if (attribute === '') {
        const [found, name, close] = match(insidePattern, text, at);
        at += found.length;
        if (close !== undefined) {
          parent.append(tag);
          if (close === '>') parent = tag;
          tag = undefined;
        } else attribute = name ?? '';
      } else {
        const [found, more = '', end] = match(quotedPattern, text, at);
        at += found.length;
        content += more;
        if (end === '"') {
          tag.setAttribute(attribute, content);
          attribute = content = '';
        }
      }
    }
    if (index >= values.length) break;
    if (attribute === '') parent.append(...flatten(values[index]));
    else
      content += flatten(values[index])
        .filter((one) => typeof one === 'string')
        .join('');
  }
  return root;
}

export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly NodeContent[]
) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...flatten(children));
  return element;
}

/** Returns an element that the page always has. */
export function need<E extends HTMLElement>(id: string, type: new () => E) {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${id}`);
}

export const all = <E extends HTMLElement>(within: ParentNode, selector: string, type: new () => E) =>
  [...within.querySelectorAll(selector)].flatMap((element) => (element instanceof type ? [element] : []));

export function openAround(element: Element) {
  for (let around = element.closest('details'); around !== null; ) {
    around.open = true;
    around = around.parentElement?.closest('details') ?? null;
  }
}

/** Scrolls to an element and gives it the focus. */
export function show(element: Element) {
  const focus = element instanceof HTMLDetailsElement ? element.querySelector('summary') : element;
  if (focus instanceof HTMLElement && focus.tabIndex < 0) focus.tabIndex = -1;
  if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'start' });
  // Content out of sight has an estimated height until it is laid out, so scroll again afterwards.
  requestAnimationFrame(() => element.scrollIntoView({ block: 'start' }));
}
