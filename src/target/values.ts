import type { Cursor } from '../suite/yaml/document.ts';
import type { JsonObject } from '../lib/json.ts';
import {
  anyText,
  described,
  flag,
  type Grammar,
  json,
  list,
  mapping,
  named,
  object,
  pattern,
  placed,
  nonEmptyText,
  type ShapeWords,
} from '../suite/grammar/grammar.ts';

const variableGrammar = nonEmptyText({
  title: 'a name',
  description: 'Name of the environment variable that holds the value.',
});

/** Scalar or `{ env: NAME }`; read as its place, because the file's reader has the environment. */
const scalarOrVariable = (name: string, words: ShapeWords): Grammar<Cursor> =>
  named(
    name,
    json({ ...words, required: ['env'], additionalProperties: false, properties: { env: variableGrammar.schema } }),
  );

export const textOrVariable = scalarOrVariable('text', {
  title: 'a string or { env: NAME }',
  type: ['string', 'object'],
  minLength: 1,
});

export const numberOrVariable = scalarOrVariable('number', {
  title: 'a number or { env: NAME }',
  type: ['integer', 'object'],
});

export const variableSource = (description: string): Grammar<string> => nonEmptyText({ title: 'a name', description });

const pathDescription = 'Path of a file, relative to the folder of this file.';

/** `{ file: PATH }` or `{ env: NAME }`, for content that does not belong in the file itself. */
export const sourceGrammar = named(
  'source',
  object(
    {
      file: described(textOrVariable, pathDescription),
      env: variableSource('Name of the environment variable that holds it.'),
    },
    { title: '{ file: PATH } or { env: NAME }' },
  ),
);

export const secretGrammar = object(
  {
    env: variableSource('Name of the environment variable that holds the secret.'),
    file: nonEmptyText({
      title: 'a path',
      description: 'Path of a file that holds nothing else, relative to the folder of this file.',
    }),
  },
  { title: '{ env: NAME } or { file: PATH }', minProperties: 1, maxProperties: 1 },
);

export const durationValue = named('duration', pattern('^([0-9]+(ms|s|m|h|d))+$', { title: 'a duration such as 30s' }));

export const dayGrammar = (example: string, description: string): Grammar<string> =>
  pattern('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', { title: `a day such as ${example}`, description });

export const carrierCode = (description: string): Grammar<string> =>
  pattern('^[0-9]{5,6}$', { title: 'a carrier code of 5 or 6 digits in quotes', description });

export const uriGrammar = (description: string): Grammar<string> => anyText({ title: 'a URI', description });

export const uriListGrammar = named('uris', list(anyText({ title: 'a URI' }), { title: 'a list of URIs' }));

/** URI read as its place, because the loader reports mistakes at each. */
export const placedUri = (description: string): Grammar<Cursor> => placed(uriGrammar(description));
export const placedUris = placed(uriListGrammar);

/** Flags of a registration (§2.12). */
export const clientFlags = {
  server_initiated: flag({ description: 'May send server-initiated requests.' }),
  silent_authorization_enabled: flag({ description: 'May use prompt none: the subscriber does not see the request.' }),
  enum_enabled: flag({ description: 'May use a phone number as login_hint.' }),
  usertraits_enabled: flag({ description: 'May request SIM tenure (§4.7).' }),
  ial_enabled: flag({ description: 'Gets identity assurance levels (§2.11).' }),
  events: flag({ description: 'May request the events scope (§6).' }),
};

/** Values with templates, which the loader compiles. They may be credentials, so no message shows them. */
export const templates = (description: string): Grammar<Cursor> =>
  placed(json({ type: 'object', title: 'a mapping', description, writeOnly: true }));

export const namedTemplateMap = (names: JsonObject, description: string): Grammar<Cursor> =>
  placed(
    mapping(json({ type: ['string', 'number'], title: 'a string', writeOnly: true }), {
      title: 'a mapping',
      description,
      propertyNames: names,
    }),
  );

export const headerTemplates = namedTemplateMap(
  { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", title: 'a header name' },
  'Header lines, with templates, such as authorization: "Bearer {{ env.NAME }}"; those without a value are left out.',
);

/** `{ file: PATH }` or `{ env: NAME }` as written. */
export interface GivenSource {
  readonly file?: Cursor | string;
  readonly env?: string;
  readonly cursor: Cursor;
}
