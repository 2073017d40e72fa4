import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { parse } from 'yaml';

/** Files that make expressions at run time, with the reason why no text of a carrier can slow one down or become one. */
const built = {
  'src/engine/plan/select.ts': 'from patterns of the command line, matched against our own names',
  'src/setup/simulator/simulator-file.ts': 'from patterns of a simulator file',
  'src/setup/bundle.ts': 'from folders named in the file itself, at build time',
  'src/cli/explain/catalogue.ts': 'from our own names',
  'src/lab/faults/near-misses.ts': 'from values of our own suites and registrations, which a fault takes for patterns',
  'src/wire/record/secret-patterns.ts': 'from our own names; everything that may follow is bounded, and matched text is not read again',
  'src/judge/rule-book.ts': 'from values that rules accept, which are read below',
  'src/suite/expectations/schema-check.ts': 'from patterns of suites, which are read below',
};

const below = (root, folder, ending) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter((name) => ending.test(name));

const lineOf = (text, at) => text.slice(0, at).split('\n').length;

function* nodesOf(value) {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  else if (typeof value === 'object' && value !== null) {
    if (typeof value.type === 'string') yield value;
    for (const member of Object.values(value)) yield* nodesOf(member);
  }
}

/** Literals of a module, and expressions made at run time in files that the table above does not list. */
function* ofModule(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const node of nodesOf(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }, file))) {
    const at = `${file}:${lineOf(text, node.start)}`;
    if (node.type === 'Literal' && node.regex) yield { at, ...node.regex };
    if (node.callee?.name === 'RegExp' && !Object.hasOwn(built, file)) yield { at, dynamic: true };
  }
}

function* patternsIn(value) {
  if (Array.isArray(value)) for (const item of value) yield* patternsIn(item);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      // A reference to a row stands for the name of a step, not for a pattern.
      if ((name === 'pattern' || name === 'like') && typeof member === 'string' && !member.includes('{{')) yield member;
      else if (name === 'patternProperties') yield* Object.keys(member);
      yield* patternsIn(member);
    }
  }
}

/** Patterns in suites and JSON Schemas, which ajv compiles to expressions. */
function* ofData(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const pattern of patternsIn(file.endsWith('.json') ? JSON.parse(text) : parse(text, { merge: true, maxAliasCount: -1 }))) {
    yield { at: file, pattern, flags: 'u' };
  }
}

/** Every expression of the product, with the positions where it occurs. */
export function findExpressions(root) {
  const modules = [...below(root, 'src', /\.ts$/), ...below(root, 'reports/html', /\.ts$/)].filter(
    (file) => !/\.test\.ts$|(?:^|\/)testing\//.test(file),
  );
  const data = [...below(root, 'suites', /\.(?:yaml|json)$/), ...below(root, 'reports', /\.schema\.json$/)];
  const found = [...modules.flatMap((file) => [...ofModule(root, file)]), ...data.flatMap((file) => [...ofData(root, file)])];
  const byExpression = new Map();
  for (const { at, dynamic, pattern, flags } of found) {
    const key = dynamic ? at : `/${pattern}/${flags}`;
    const one = byExpression.get(key) ?? { dynamic, pattern, flags, places: new Set() };
    one.places.add(at);
    byExpression.set(key, one);
  }
  return [...byExpression.values()];
}
