/** What can be put into a template; a string becomes a text node. */
export type Content = Node | string | number | undefined | readonly Content[];

const drawing = 'http://www.w3.org/2000/svg';
const drawn: ReadonlySet<string> = new Set(['svg', 'g', 'path', 'rect', 'line', 'text']);

function flatten(content: Content): (Node | string)[] {
  if (content === undefined) return [];
  if (typeof content === 'number') return [String(content)];
  return typeof content === 'string' || content instanceof Node ? [content] : content.flatMap(flatten);
}

function create(name: string, parent: Node): Element {
  const isDrawn = drawn.has(name) || (parent instanceof SVGElement && name === 'title');
  return isDrawn ? document.createElementNS(drawing, name) : document.createElement(name);
}

/** The pieces of a template outside of a tag (the end of an element, the beginning of one, text), and inside. */
const outside = /<\/\w+>|<(\w+)|[^<]+/y;
const inside = / ([\w-]+)="([^"]*)("?)|(\/?>)/y;

/** Builds nodes of the parts of a template, which are markup of ours, and of the values between them, which are none. */
class Builder {
  readonly root = document.createDocumentFragment();
  readonly #open: ParentNode[] = [this.root];
  #tag: Element | undefined;
  #attribute: { readonly name: string; value: string } | undefined;

  part(text: string): void {
    let at = this.#attribute === undefined ? 0 : this.#endAttribute(text, this.#attribute);
    while (at < text.length) {
      const piece = this.#tag === undefined ? outside : inside;
      piece.lastIndex = at;
      const found = piece.exec(text);
      if (found === null) throw new Error(`no markup: ${text.slice(at)}`);
      if (this.#tag === undefined) this.#outside(found);
      else this.#inside(found, this.#tag);
      at = piece.lastIndex;
    }
  }

  value(value: Content): void {
    if (this.#attribute !== undefined) this.#attribute.value += String(value);
    else this.#parent.append(...flatten(value));
  }

  get #parent(): ParentNode {
    return this.#open.at(-1) ?? this.root;
  }

  /** An attribute may have several values; where the text goes on behind it. */
  #endAttribute(text: string, attribute: { readonly name: string; value: string }): number {
    const end = text.indexOf('"');
    attribute.value += end < 0 ? text : text.slice(0, end);
    if (end < 0) return text.length;
    this.#tag?.setAttribute(attribute.name, attribute.value);
    this.#attribute = undefined;
    return end + 1;
  }

  #outside([text, name]: RegExpExecArray): void {
    if (name !== undefined) this.#tag = create(name, this.#parent);
    else if (text.startsWith('<')) this.#open.pop();
    else this.#parent.append(text);
  }

  #inside([, name, value = '', end, close]: RegExpExecArray, tag: Element): void {
    if (name !== undefined && end === '') this.#attribute = { name, value };
    else if (name !== undefined) tag.setAttribute(name, value);
    if (close === undefined) return;
    this.#parent.append(tag);
    if (close === '>') this.#open.push(tag);
    this.#tag = undefined;
  }
}

/** The tag of `src/report/html/links.ts` that makes nodes: nothing that is put into a template is ever read as markup. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): DocumentFragment {
  const builder = new Builder();
  for (const [index, text] of strings.entries()) {
    builder.part(text);
    if (index < values.length) builder.value(values[index]);
  }
  return builder.root;
}

/** An element that the script goes on with, with attributes and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly Content[]
) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...flatten(children));
  return element;
}

/** The element of that id, which the page always has. */
export function need<E extends HTMLElement>(id: string, type: new () => E) {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${id}`);
}

/** Elements of one type. */
export function all<E extends HTMLElement>(within: ParentNode, selector: string, type: new () => E) {
  return [...within.querySelectorAll(selector)].flatMap((element) => (element instanceof type ? [element] : []));
}

/** Opens everything around an element. */
export function openAround(element: Element) {
  for (let around = element.closest('details'); around !== null; ) {
    around.open = true;
    around = around.parentElement?.closest('details') ?? null;
  }
}

/** Brings an element into sight and gives it the focus. */
export function show(element: Element) {
  const focus = element instanceof HTMLDetailsElement ? element.querySelector('summary') : element;
  if (focus instanceof HTMLElement && focus.tabIndex < 0) focus.tabIndex = -1;
  if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'start' });
  // What is out of sight has a guessed height until it is near: once it is laid out the place is right.
  requestAnimationFrame(() => element.scrollIntoView({ block: 'start' }));
}
