import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { parse } from 'yaml';

/** Where expressions are made at run time, and why a text from a carrier cannot make one slow, or the expression itself. */
const built = {
  'src/engine/plan/select.ts': 'of the patterns of a command line, matched with names of our own',
  'src/setup/simulator/simulator-file.ts': 'of the patterns of a simulator file',
  'src/setup/bundle.ts': 'of folders that the file itself names, at the build',
  'src/cli/explain/catalogue.ts': 'of names of our own',
  'src/wire/record/secret-patterns.ts': 'of names of our own; all that may follow is bounded, and what was matched is not read again',
  'src/judge/rule-book.ts': 'of the values that rules accept, which are read below',
  'src/suite/expectations/schema-check.ts': 'of the patterns of suites, which are read below',
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

/** Literals of a module; what is built at run time is a mistake unless the table above says why not. */
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
      if ((name === 'pattern' || name === 'like') && typeof member === 'string') yield member;
      else if (name === 'patternProperties') yield* Object.keys(member);
      yield* patternsIn(member);
    }
  }
}

/** Patterns of suites and of JSON Schemas: ajv makes expressions of them. */
function* ofData(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  for (const pattern of patternsIn(file.endsWith('.json') ? JSON.parse(text) : parse(text, { merge: true }))) {
    yield { at: file, pattern, flags: 'u' };
  }
}

/** Every expression of the product, with the places where it stands. */
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
