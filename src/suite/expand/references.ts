import { isJsonObject, isList, type Json } from '../../lib/json.ts';
import { splitTemplate, tokenize } from '../template/expression.ts';
import { ExpressionMistake } from '../template/names.ts';
import {
  listNode,
  mappingNode,
  type Node,
  type NodeMember,
  nodeItems,
  nodeMember,
  nodeMembers,
  nodeText,
  offsetOf,
} from './node.ts';

/*
 * References to a row (`{{ each.name }}`) and to a parameter of a named step (`{{ do.name }}`). One that is a whole text is replaced
 * by the value, whatever its type, with the place of the value; within a text, by the text of the value; within an expression, by the
 * value, or by a name if more of the path follows: `do.of.body` with `of: first` is `first.body`.
 */

/** Values by root: `each`, `do`. */
export type References = ReadonlyMap<string, Node>;

interface FillOptions {
  readonly references: References;
  /** Leave what the run evaluates once for the row: texts with templates, and values in expressions. */
  readonly isOfCase: boolean;
}

const wholeReference = /^\{\{ *((?:each|do)(?:\.\w[\w-]*)+) *\}\}$/;
const pathOnly = /^ *((?:each|do)(?:\.\w[\w-]*)+) *$/;

interface Resolved {
  readonly node: Node;
  /** Text that follows the value in the path, with which it is a name: `.body`, `-a.jws`. */
  readonly suffix: string;
}

function resolvePath(path: string, references: References): Resolved | undefined {
  const [root = '', ...names] = path.split('.');
  let node = references.get(root);
  for (const [index, name] of names.entries()) {
    if (node === undefined) return undefined;
    const member: Node | undefined = nodeMember(node, name);
    if (member === undefined) return resolveName(node, names.slice(index));
    node = member;
  }
  return node === undefined ? undefined : { node, suffix: '' };
}

/** Value that begins the name of a step: `of.body` and `of-a.body` where `of` is a text. */
function resolveName(node: Node, [name = '', ...rest]: readonly string[]): Resolved | undefined {
  const after = rest.map((one) => `.${one}`).join('');
  if (typeof node.json === 'string') return { node, suffix: `.${name}${after}` };
  const dash = name.indexOf('-');
  const begun = dash === -1 ? undefined : nodeMember(node, name.slice(0, dash));
  return typeof begun?.json === 'string' ? { node: begun, suffix: `${name.slice(dash)}${after}` } : undefined;
}

const hasTemplate = (json: Json): json is string => typeof json === 'string' && json.includes('{{');

const isScalar = (json: Json): json is string | number | boolean =>
  typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean';

const mayRefer = (text: string): boolean => text.includes('each.') || text.includes('do.');

/** Whether lists and mappings have a reference in them: most have none, and are asked for each row. */
const referring = new WeakMap<object, boolean>();

function refers(json: Json): boolean {
  if (typeof json === 'string') return mayRefer(json);
  if (json === null || typeof json !== 'object') return false;
  const known = referring.get(json);
  if (known !== undefined) return known;
  const found = isList(json)
    ? json.some(refers)
    : Object.entries(json).some(([name, value]) => mayRefer(name) || refers(value ?? null));
  referring.set(json, found);
  return found;
}

/** Fills the references in a value, and in the names of its members. */
export function fillNode(node: Node, options: FillOptions): Node {
  const { json } = node;
  if (options.references.size === 0 || !refers(json)) return node;
  if (typeof json === 'string') return fillText(json, node, options);
  if (isList(json)) {
    return listNode(
      offsetOf(node),
      nodeItems(node).map((item) => fillNode(item, options)),
    );
  }
  if (!isJsonObject(json)) return node;
  return mappingNode(
    offsetOf(node),
    nodeMembers(node).map(([name, key, value]): NodeMember => {
      const { json: filled } = fillText(name, { json: name, places: key }, options);
      return [isScalar(filled) ? String(filled) : name, key, fillNode(value, options)];
    }),
  );
}

function fillText(text: string, node: Node, { references, isOfCase }: FillOptions): Node {
  if (!mayRefer(text)) return node;
  const whole = wholeReference.exec(text)?.[1];
  if (whole !== undefined) {
    const found = resolvePath(whole, references);
    if (found?.suffix === '') return isOfCase && hasTemplate(found.node.json) ? node : found.node;
  }
  const json = splitTemplate(text)
    .map(({ kind, source }) => {
      if (kind !== 'expression') return source;
      const path = pathOnly.exec(source)?.[1];
      const found = path === undefined ? undefined : resolvePath(path, references);
      const value = found?.suffix === '' ? found.node.json : null;
      if (isScalar(value) && !(isOfCase && hasTemplate(value))) return String(value);
      return `{{${fillExpression(source, { references, isOfCase })}}}`;
    })
    .join('');
  return { json, places: node.places };
}

/** Expression for a value: a number, a quoted text, or what stands in the braces of a template. */
function toExpression(json: Json): string | undefined {
  if (typeof json === 'number' || typeof json === 'boolean') return String(json);
  if (typeof json !== 'string') return undefined;
  const [only, ...more] = splitTemplate(json);
  if (only?.kind === 'expression' && more.length === 0) return only.source.trim();
  return json.includes('{{') ? undefined : `'${json.replaceAll("'", "''")}'`;
}

function fillExpression(source: string, { references, isOfCase }: FillOptions): string {
  let written = '';
  let from = 0;
  for (const { kind, index, source: path } of readTokens(source)) {
    const found = kind === 'path' && /^(?:each|do)\./.test(path) ? resolvePath(path, references) : undefined;
    if (found === undefined || (isOfCase && found.suffix === '')) continue;
    const { node, suffix } = found;
    const instead = suffix === '' ? toExpression(node.json) : `${nodeText(node)}${suffix}`;
    if (instead === undefined) continue;
    written += source.slice(from, index) + instead;
    from = index + path.length;
  }
  return written + source.slice(from);
}

/** Names that a value still takes from a row which has no such member, with their offsets. */
export function listLacking(node: Node, row: Node): readonly (readonly [name: string, offset: number])[] {
  const { json } = node;
  if (!refers(json)) return [];
  if (typeof json === 'string') {
    return splitTemplate(json)
      .flatMap(({ kind, source }) => (kind === 'expression' ? readTokens(source) : []))
      .flatMap(({ kind, source }) => (kind === 'path' ? (/^each\.([^.]+)/.exec(source)?.[1] ?? []) : []))
      .filter((name) => nodeMember(row, name) === undefined)
      .map((name) => [name, offsetOf(node)]);
  }
  const inside = isList(json) ? nodeItems(node) : nodeMembers(node).map(([, , value]) => value);
  return inside.flatMap((one) => listLacking(one, row));
}

/** Tokens of an expression; none if it is broken, which its compiler reports. */
function readTokens(source: string): ReturnType<typeof tokenize> {
  try {
    return tokenize(source);
  } catch (mistake) {
    if (mistake instanceof ExpressionMistake) return [];
    throw mistake;
  }
}
