import { isJsonObject, type Json, plainText } from '../model/json.ts';
import { MissingValue, type Scope, type Template } from '../model/template.ts';
import type { Expectation } from '../suite/expectations/expectation.ts';

/** What a phone shows, by the names that suites use (docs/suite-language.md, `look`). */
const fields: Readonly<Record<string, string>> = {
  shown: 'the request',
  context: 'the text of the request',
  scopes: 'the list of scopes',
  consentScreen: 'the list of scopes on the consent screen',
  order: 'the order of the screens',
  authentication: 'the authentication that was asked for',
  colourMode: 'the colour mode',
  openedUri: 'the URI that the phone opened',
};

const fieldOf = (path: string): string => {
  const name = path.replace(/^card\.?/, '');
  if (name === '') return 'what the phone shows';
  return Object.hasOwn(fields, name) ? (fields[name] ?? name) : name;
};

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const quote = (value: Json): string => (value === null ? 'nothing' : JSON.stringify(value));

function isWords(path: string, value: Json): string {
  if (path === 'card.shown' && typeof value === 'boolean') return `the request is ${value ? '' : 'not '}shown`;
  return `${fieldOf(path)} is ${quote(value)}`;
}

/** A value of the case, or, where a step did not leave it, how the suite writes it. */
function wantedOf(template: Template, scope: Scope): string | { readonly value: Json } {
  try {
    return { value: template.evaluate(scope) };
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    const [step = 'an earlier step', , ...rest] = error.path.split('.');
    return `the same as at step ${step}${rest.length === 0 ? '' : ` (${rest.join('.')})`}`;
  }
}

function equalsWords([path, template]: readonly [string, Template], scope: Scope): string {
  const found = wantedOf(template, scope);
  return typeof found === 'string' ? `${fieldOf(path)} is ${found}` : isWords(path, found.value);
}

/** The keywords that suites use of a card; another one is shown as it is written. */
const known: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'required', 'properties']);

function schemaWords(path: string, schema: Json): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const { const: only, enum: some, type, required, properties } = schema;
  const members = isJsonObject(properties) ? properties : {};
  const others = Object.entries(schema).filter(([keyword]) => !known.has(keyword));
  const named = isList(required) ? required.filter((name) => typeof name === 'string') : [];
  return [
    ...(only === undefined ? [] : [isWords(path, only)]),
    ...(isList(some) ? [`${fieldOf(path)} is one of ${some.map(quote).join(', ')}`] : []),
    ...(only === undefined && !isList(some) && type !== undefined && type !== 'object' && others.length === 0
      ? [`${fieldOf(path)} is there, as ${isList(type) ? type.map(quote).join(' or ') : plainText(type)}`]
      : []),
    ...(others.length === 0 ? [] : [`${fieldOf(path)} fits ${JSON.stringify(Object.fromEntries(others))}`]),
    ...named.filter((name) => !Object.hasOwn(members, name)).map((name) => `${fieldOf(`${path}.${name}`)} is there`),
    ...Object.entries(members).flatMap(([name, member]) => schemaWords(`${path}.${name}`, member)),
  ];
}

/** What one expectation of a look wants to be seen, in words that can be asked about. */
export function cardWords({ equals = [], absent = [], checks = [], card }: Expectation, scope: Scope): string {
  const words = [
    ...equals.map((entry) => equalsWords(entry, scope)),
    ...(card === undefined ? [] : schemaWords('card', card.schema)),
    ...absent.map((path) => `${fieldOf(path)} is not there`),
    ...checks.map((name) => `this holds: ${name.replaceAll('-', ' ')}`),
  ];
  return words.length === 0 ? 'the phone shows what the case says' : words.join(', and ');
}
