import { omitUndefined, type Json } from '../../lib/json.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { eventKinds } from '../../interfaces/server-initiated/event-kinds.ts';
import { checkSchema, grammarValidator } from '../../suite/grammar/check-schema.ts';
import { anyText, flag, json, list, mapping, nonEmptyText, object, word } from '../../suite/grammar/grammar.ts';
import { at, type Cursor, documentRoot, keyPlace, readYaml } from '../../suite/yaml/document.ts';

const keys = {
  parameters: mapping(json(), { title: 'a mapping of parameters' }),
  http_headers: mapping(json(), { title: 'a mapping of header fields' }),
  drop_header: list(nonEmptyText(), { title: 'a list of names' }),
  alg: nonEmptyText({ title: 'the name of an algorithm' }),
  body: anyText({ title: 'a text' }),
  form: flag(),
  proof: anyText({ title: 'a text' }),
  token: nonEmptyText({ title: 'a token, @FILE or "-"' }),
  scope: nonEmptyText({ title: 'scopes' }),
  code: nonEmptyText({ title: 'a code' }),
  refresh_token: nonEmptyText({ title: 'a token, @FILE or "-"' }),
  auth_req_id: nonEmptyText({ title: 'an auth_req_id' }),
  mccmnc: nonEmptyText({ title: 'a carrier code' }),
  event: word(Object.keys(eventKinds)),
};

const messageGrammar = object(keys, { title: 'a message of send' });

export type MessageMember = keyof typeof keys;

/** Parts of a message for which `send` has no flag. A value of a mapping may hold templates of the suite language. */
export interface MessageParts {
  /** Parameters of the body; of a request object, those beside it. */
  readonly parameters: Readonly<Record<string, Json>>;
  /** Header fields of the HTTP request; null leaves one out. */
  readonly http_headers: Readonly<Record<string, Json>>;
  /** Parameters of the JWT header to leave out. */
  readonly drop_header: readonly string[];
  readonly alg?: string;
  /** The whole body. */
  readonly body?: string;
  /** Form encoding instead of JSON. */
  readonly form: boolean;
  /** Replaces the proof; empty: no such header field. */
  readonly proof?: string;
  readonly token?: string;
  readonly scope?: string;
  readonly code?: string;
  readonly refresh_token?: string;
  /** The pending request to cancel. */
  readonly auth_req_id?: string;
  readonly mccmnc?: string;
  /** Kind of the awaited event. */
  readonly event?: string;
}

const emptyMessage: MessageParts = { parameters: {}, http_headers: {}, drop_header: [], form: false };

const toRecord = (pairs: readonly (readonly [string, Cursor])[] = []): Readonly<Record<string, Json>> =>
  Object.fromEntries(pairs.map(([name, { value }]) => [name, value ?? null]));

/**
 * Reads the file of `--message`; nothing is set without one. `wrongFor` says why a member does not fit the endpoint. Throws with every
 * mistake and its place.
 */
export function readMessage(file: string | undefined, wrongFor: (member: string) => string | undefined): MessageParts {
  if (file === undefined) return emptyMessage;
  const document = readYaml(file);
  const root = documentRoot(document);
  const wrong =
    document.problems.length > 0 ? document.problems : checkSchema(document, grammarValidator(messageGrammar));
  const read = wrong.length > 0 ? undefined : messageGrammar.read(root);
  if (read === undefined) {
    throw new CarrierspecError(`--message: ${file} is not a message that can be sent`, {
      code: 'bad-flag',
      problems: wrong,
    });
  }
  const { cursor: _, parameters, http_headers, drop_header, form, ...texts } = read;
  const unfit = Object.keys(keys).flatMap((name) => {
    const message = Object.hasOwn(read, name) ? wrongFor(name) : undefined;
    return message === undefined
      ? []
      : [document.problem({ code: 'bad-value', message, position: keyPlace(at(root, name)) })];
  });
  if (unfit.length > 0) {
    throw new CarrierspecError(`--message: ${file} has members that this endpoint does not take`, {
      code: 'bad-flag',
      problems: unfit,
    });
  }
  return {
    ...omitUndefined(texts),
    parameters: toRecord(parameters),
    http_headers: toRecord(http_headers),
    drop_header: drop_header ?? [],
    form: form ?? false,
  };
}
