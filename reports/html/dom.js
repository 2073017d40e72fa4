/**
 * What can stand in an element; a string becomes a text node.
 * @typedef {Node | string | undefined | readonly Child[]} Child
 * @typedef {Readonly<Record<string, string | number>>} Attributes
 */

const drawing = 'http://www.w3.org/2000/svg';

/**
 * @param {Child} child
 * @returns {(Node | string)[]}
 */
function flatten(child) {
  if (child === undefined) return [];
  return typeof child === 'string' || child instanceof Node ? [child] : child.flatMap(flatten);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {readonly Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  // Nothing that came from a carrier is ever read as markup: `append` makes text of a string.
  element.append(...flatten(children));
  return element;
}

/**
 * An element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {readonly Child[]} children
 */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * The same for SVG.
 * @param {string} name
 * @param {Attributes} [attributes]
 * @param {readonly Child[]} children
 */
export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(drawing, name), attributes, children);
}

/**
 * The element of that id, which the page always has.
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} type
 */
export function need(id, type) {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${id}`);
}

/**
 * Elements of one type.
 * @template {HTMLElement} E
 * @param {ParentNode} within
 * @param {string} selector
 * @param {new () => E} type
 */
export function all(within, selector, type) {
  return [...within.querySelectorAll(selector)].flatMap((element) => (element instanceof type ? [element] : []));
}
