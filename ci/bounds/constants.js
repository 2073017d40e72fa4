import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** Rooms that certifying a carrier does not need. */
const otherRooms = ['lab', 'testing'];

/** Files of the product's code, without its tests. */
function filesOf(root) {
  return readdirSync(join(root, 'src'), { recursive: true })
    .map((name) => join('src', name))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !otherRooms.includes(name.split('/')[1]))
    .toSorted();
}

/** Nodes around a number that leave its literal as it is. */
const wrappings = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression', 'UnaryExpression']);

const isNumber = (node) => node.type === 'Literal' && typeof node.value === 'number';

/** Literals of an arithmetic expression, from left to right; a name in it has none. */
function literalsOf(node) {
  if (wrappings.has(node.type)) return literalsOf(node.expression ?? node.argument);
  if (node.type === 'BinaryExpression') return [...literalsOf(node.left), ...literalsOf(node.right)];
  return isNumber(node) ? [node] : [];
}

/** Names and numbers of a value: itself, or the members of a table. An expression is moved by its first literal other than 0 and 1. */
function* numbersOf(name, node) {
  if (wrappings.has(node.type) && node.expression?.type === 'ObjectExpression') return yield* numbersOf(name, node.expression);
  if (node.type === 'CallExpression' && node.arguments.length === 1 && node.callee.property?.name === 'freeze') {
    return yield* numbersOf(name, node.arguments[0]);
  }
  if (node.type === 'ObjectExpression') {
    for (const { key, value, computed } of node.properties) {
      if (value !== undefined && !computed) yield* numbersOf(`${name}.${key.name ?? key.value}`, value);
    }
    return undefined;
  }
  const literals = literalsOf(node);
  const literal = literals.find(({ value }) => value > 1) ?? literals.find(({ value }) => value !== 0);
  if (literal !== undefined) yield { name, start: literal.start, literal: literal.raw };
  return undefined;
}

function* ofModule(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  if (!/^(?:export )?const /m.test(text)) return;
  for (const statement of parseAst(text, { lang: 'ts' }, file).body) {
    const { type, kind, declarations } = statement.declaration ?? statement;
    if (type !== 'VariableDeclaration' || kind !== 'const') continue;
    for (const { id, init } of declarations) {
      if (id.type !== 'Identifier' || init === null) continue;
      for (const number of numbersOf(id.name, init)) {
        yield { file, line: text.slice(0, number.start).split('\n').length, ...number };
      }
    }
  }
}

/** Named numbers of the product: `{ file, line, name, start, literal }`, with the place and text of the literal that moves. */
export const findConstants = (root) => filesOf(root).flatMap((file) => [...ofModule(root, file)]);

/**
 * A number one unit of its last digit that is not 0 up and down: 60_000 to 70_000 and 50_000. A power of ten goes down by a tenth,
 * because 0 says little about its bound.
 */
export function stepsOf(literal) {
  const plain = literal.replaceAll('_', '');
  if (/^0[xob]/i.test(plain)) return [String(Number(plain) + 1), String(Number(plain) - 1)];
  const [, whole, fraction = '', exponent = '0'] = /^(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(plain) ?? [];
  if (whole === undefined) throw new Error(`${literal} is no number that has steps`);
  const digits = BigInt(whole + fraction);
  let scale = Number(exponent) - fraction.length;
  let rest = digits;
  for (; rest !== 0n && rest % 10n === 0n; rest /= 10n) scale += 1;
  const down = rest === 1n && scale > 0 ? [9n, scale - 1] : [rest - 1n, scale];
  return [[rest + 1n, scale], down].map(([unit, power]) => String(Number(`${unit}e${power}`)));
}
