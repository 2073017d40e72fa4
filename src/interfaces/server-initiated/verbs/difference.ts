import { at, type Cursor, items, keyPlace, place } from '../../../suite/yaml/document.ts';
import { requestMembers } from '../claims.ts';
import { interfaceScopes, launchScopes, plainScopes } from '../registration.ts';
import { describeTamper, heavyTampers } from '../../../wire/build/tamper.ts';
import { misspelling, suggestKnown } from '../../../lib/suggestion.ts';
import { type Json, omitUndefined } from '../../../lib/json.ts';
import type { Risk } from '../../../model/risk.ts';
import type { Difference, Template, TemplateMap } from '../../../model/suite.ts';
import { reportAt } from '../../../suite/context.ts';
import {
  anyText,
  checked,
  flag,
  type Grammar,
  mapping,
  members,
  named,
  type ReadContext,
  word,
} from '../../../suite/grammar/grammar.ts';
import {
  httpHeaders,
  httpMethod,
  kebabName,
  nonEmptyTexts,
  templateShape,
  templateText,
  values,
  withJws,
} from '../../../suite/grammar/common-shapes.ts';
import { heavyWritings, requestWritingNames as requestWritings } from '../../../wire/send/written-request.ts';
import { describeMap, describeName, describeTemplate, type ShowValue } from '../../../suite/verbs/verb.ts';

const signingKeys = [
  'second',
  'unregistered',
  'shortest-kid',
  'longest-kid',
  'of-second-client',
  'secret',
  'public-pem',
  'public-pem-trimmed',
  'public-der',
  'public-jwk',
  'public-jwk-sorted',
  'public-thumbprint',
  'public-n',
  'public-n-text',
] as const;

const claimKeys = {
  claims: values('Claims to set, of any JSON type; values may hold templates.'),
  drop: nonEmptyTexts('a list of claim names', 'Claims to remove.'),
};

const rawShape = mapping(anyText({ title: 'raw JSON text in quotes' }), {
  title: 'a mapping',
  description: 'Claims set to raw JSON text, for what an object cannot express.',
});

const rawKeys = {
  raw: { ...rawShape, read: claimKeys.claims.read },
  append: templateText('Raw JSON members added at the end of the claims (duplicate names).'),
};

const headerKeys = {
  header: values('Members of the JWT header to set.'),
  dropHeader: nonEmptyTexts('a list of header names', 'Members of the JWT header to remove.'),
};

export const clientKey = { client: kebabName('The registration whose values and key are used.') };

const signatureKeys = {
  key: word(signingKeys, { description: 'Another signing key.' }),
  jwk: templateShape({ description: "The public JWK that `key: public-...` writes, instead of the client's." }),
  alg: anyText({ description: 'Another algorithm.' }),
  tamper: checked(kebabName('A change to the finished compact JWS (src/wire/build/tamper.ts).'), checkTamper),
};

const againKey = { again: anyText({ description: 'Send exactly the JWS that this earlier step sent.' }) };

export const carriedKeys = {
  form: flag({ description: 'Form encoding instead of JSON.' }),
  method: httpMethod('The HTTP method; POST unless said.'),
};

export const proofKeys = { ...claimKeys, ...headerKeys, ...signatureKeys, ...againKey };

const claimNames = requestMembers.flatMap((member) => (member.in === 'claims' ? [member.name] : []));

type Place = ReturnType<typeof place>;

function warnOfName(
  [kind, name, known]: Parameters<typeof misspelling>,
  { document }: Cursor,
  { known: { warn }, position }: Pick<ReadContext, 'known'> & { readonly position: () => Place },
): void {
  const wrong = warn === undefined ? undefined : misspelling(kind, name, known);
  if (wrong !== undefined) warn?.(document.problem({ code: 'unknown-name', ...wrong, position: position() }));
}

/** Warns of claims and scopes that are almost those of the interface. */
function warnOfClaims(claims: TemplateMap, cursor: Cursor, { known }: ReadContext): void {
  for (const [name, { source }] of claims) {
    const member = at(cursor, name);
    warnOfName(['claim', name, claimNames], cursor, { known, position: () => keyPlace(member) });
    if (name !== 'scope' || typeof source !== 'string') continue;
    for (const { 0: scope, index } of source.matchAll(/[^ ]+/g)) {
      const position = (): Place => cursor.document.positionInside(member.path, index);
      warnOfName(['scope', scope, interfaceScopes], cursor, { known, position });
    }
  }
}

function warnOfDropped(names: readonly string[], cursor: Cursor, { known }: ReadContext): void {
  for (const [index, item] of items(cursor).entries())
    warnOfName(['claim', names[index] ?? '', claimNames], cursor, { known, position: () => place(item) });
}

export const signedKeys = {
  claims: checked(claimKeys.claims, warnOfClaims),
  drop: checked(claimKeys.drop, warnOfDropped),
  raw: checked(rawKeys.raw, warnOfClaims),
  append: rawKeys.append,
  ...headerKeys,
  ...clientKey,
  ...signatureKeys,
};

export const differenceKeys = {
  ...signedKeys,
  ...againKey,
  request: withJws(templateShape({ description: 'The `request` member is this JSON value.' })),
  beside: withJws(values('Members beside `request` in the body.')),
  body: withJws(templateShape({ description: 'The whole body, as JSON; {{ jws }} is the signed request object.' })),
  text: withJws(templateText('The whole body, as raw text; {{ jws }} is the signed request object.')),
  ...carriedKeys,
  query: withJws(values('Query parameters of the URL.')),
  headers: withJws(httpHeaders),
  writing: word(requestWritings, { description: 'How the HTTP request is written, where a client would refuse to.' }),
};

/** Differences of a request object, and of its HTTP request, from the base request. */
export const differenceShape: Grammar<Difference> = named(
  'difference',
  members(differenceKeys, { title: 'authorize' }),
);

function checkTamper(tamper: string, cursor: Cursor, { known, report }: ReadContext): void {
  if (known.tampers.has(tamper)) return;
  const hint = suggestKnown(tamper, known.tampers);
  reportAt(cursor, { report }, { code: 'unknown-name', message: `there is no tamper "${tamper}"`, hint });
}

const keyRequirements: Readonly<Record<string, string>> = {
  second: 'second-key',
  secret: 'secret',
  'of-second-client': 'client:second',
};

export function differenceRequirements({
  client,
  key = '',
  claims = [],
}: Pick<Difference, 'client' | 'key' | 'claims'>): readonly string[] {
  const required = keyRequirements[key];
  return [
    ...(client === undefined ? claims.flatMap(launchScopeRequirements) : [`client:${client}`]),
    ...(required === undefined ? [] : [required]),
  ];
}

/** Requirements for launch scopes beyond a plain request; none if any scope is unknown. */
function launchScopeRequirements([claim, { source }]: readonly [string, { readonly source: Json }]): readonly string[] {
  const scopes = claim === 'scope' && typeof source === 'string' ? source.split(' ') : [];
  if (!scopes.every((one) => interfaceScopes.includes(one))) return [];
  return scopes.filter((one) => launchScopes.includes(one) && !plainScopes.has(one)).map((one) => `scope:${one}`);
}

/** A value as the target file or an earlier step has it: `{{ subscriber.phone }}`. */
const readAsIs = /^\{\{ *(?!each\b)[a-z][\w-]*(?:\.[\w-]+)+ *\}\}$/;

/** Whether a hint may name a user outside the target file: it is text of its own, or a changed value. */
export const namesStranger = ({ source }: Pick<Template, 'source'>): boolean =>
  typeof source === 'string' && source !== '' && !readAsIs.test(source);

/** Harm that a request with these differences may do at a carrier with real users. */
export function differenceRisks(difference: Difference): readonly Risk[] {
  const { claims = [], raw = [], beside = [], query = [], append, body, text, request } = difference;
  const hints = [...claims, ...raw, ...beside, ...query].flatMap(([name, value]) =>
    name === 'login_hint' ? [value] : [],
  );
  const isWritten = [append, body, text, request].some((one) =>
    /\blogin_hint\b/.test(JSON.stringify(one?.source ?? '')),
  );
  const isHeavy = heavyTampers.has(difference.tamper ?? '') || heavyWritings.has(difference.writing ?? '');
  return [
    ...(hints.some(namesStranger) || isWritten ? (['strangers'] as const) : []),
    ...(isHeavy ? (['floods'] as const) : []),
  ];
}

/** Every deliberate difference from the base request, in the order of docs/suite-language.md. */
export function describeDifference(difference: Difference, show: ShowValue): readonly string[] {
  const { drop = [], dropHeader = [], raw = [] } = difference;
  return [
    ...describeName('with the values and the key of the client', difference.client),
    ...describeMap('claims.', difference.claims, show),
    ...drop.map((claim) => `without claims.${claim}`),
    ...raw.map(([claim, { source }]) => `claims.${claim} = the raw JSON text ${show(source)}`),
    ...describeTemplate('the claims followed by the raw text', difference.append, show),
    ...describeMap('header.', difference.header, show),
    ...dropHeader.map((member) => `without header.${member}`),
    ...describeName('signed with the key', difference.key),
    ...describeTemplate('of the public key', difference.jwk, show),
    ...describeName('signed with the algorithm', difference.alg),
    ...describeName('then changed:', difference.tamper && describeTamper(difference.tamper)),
    ...(difference.again === undefined ? [] : [`exactly the object that step ${difference.again} sent`]),
    ...describeTemplate('the member request =', difference.request, show),
    ...describeMap('beside request: ', difference.beside, show),
    ...describeTemplate('the body =', difference.body, show),
    ...describeName('written', difference.writing),
    ...describeCarried(difference, show, describeMap('query: ', difference.query, show)),
  ];
}

export function describeCarried(
  { text: body, form, method: by, headers }: Pick<Difference, 'text' | 'form' | 'method' | 'headers'>,
  show: ShowValue,
  query: readonly string[] = [],
): readonly string[] {
  return [
    ...describeTemplate('the body is the text', body, show),
    ...(form === true ? ['form-encoded instead of JSON'] : []),
    ...describeName('by the method', by),
    ...query,
    ...describeMap('header field ', headers, show),
  ];
}

/** Details of a step; a step without any sends the base request. */
export const orValidRequest = (details: readonly string[]): readonly string[] =>
  details.length === 0 ? ['the valid request, nothing different'] : details;

/** Difference reduced to these parts, by the names that reports use; the sending client stays the same. */
export function keepParts(difference: Difference, whats: ReadonlySet<string>): Difference {
  const { client, claims, drop, raw, header, dropHeader, key, beside, query, headers } = difference;
  const named = (prefix: string) => (name: string) => whats.has(`${prefix}.${name}`);
  const keep = (prefix: string, map: TemplateMap | undefined) => map?.filter(([name]) => named(prefix)(name));
  // A key goes with the header that names it.
  const isOfKey = key !== undefined && whats.has('key');
  return omitUndefined({
    client,
    claims: keep('claims', claims),
    drop: drop?.filter(named('claims')),
    raw: keep('claims', raw),
    header: isOfKey ? header : keep('header', header),
    dropHeader: dropHeader?.filter(named('header')),
    key: isOfKey ? key : undefined,
    beside: keep('http.beside', beside),
    query: keep('http.query', query),
    headers: keep('http.headers', headers),
  });
}
