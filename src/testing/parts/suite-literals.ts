import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject, isList } from '../../lib/json.ts';
import { packageRoot, referenceFolder } from '../../setup/paths.ts';
import { parseYaml } from '../../suite/yaml/document.ts';

/** A value of our own fixture that no suite may contain, because a case that names it fits only one carrier (P7). */
interface Literal {
  readonly text: string;
  readonly kind: LiteralKind;
}

type LiteralKind = keyof typeof replacements;

/** Replacement that a suite writes for each kind. */
const replacements = {
  'a client id': '{{ client.client_id }}',
  'a redirect URI': '{{ client.redirect_uri }}',
  'a host of a redirect URI': '{{ client.redirect_uri }}, with replace()',
  'a notification URI': '{{ client.notification_uri }}',
  'an event endpoint': 'an await with client:',
  'a kid': '{{ client.key.kid }}',
  'a key': '{{ client.key }}',
  'a subscriber id': '{{ subscriber.sub }}',
  'a phone number': '{{ subscriber.phone }}',
  'the carrier code': '{{ target.mccmnc }}',
  'a carrier code of others': '{{ target.foreign_codes.0 }}',
  'a URL of the carrier': '{{ target.issuer }} or {{ target.endpoints.NAME }}',
  'a value of a profile': 'a schema, or what another step of the case has seen',
} as const;

const asList = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
const asObjects = (value: Json | undefined): readonly JsonObject[] => asList(value).filter(isJsonObject);
const asTexts = (value: Json | undefined): readonly string[] => (typeof value === 'string' ? [value] : []);
const asAllTexts = (value: Json | undefined): readonly string[] => asList(value).flatMap(asTexts);

const makeLiterals = (kind: LiteralKind, texts: readonly string[]): readonly Literal[] =>
  texts.map((text) => ({ text, kind }));

/** `sp.test` of `https://sp.test/cb`, `sptest` of `sptest://cb`. */
function uriSite(uri: string): readonly string[] {
  const { protocol, hostname } = new URL(uri);
  return [protocol === 'https:' || protocol === 'http:' ? hostname : protocol.slice(0, -1)];
}

const uriPath = (uri: string): string => uri.replace(/^\$\{RECEIVER\}/, '');

function clientLiterals({
  client_id: id,
  keys,
  redirect_uris: redirects,
  notification_uris: notified,
  event_uri: events,
}: JsonObject) {
  const uris = asAllTexts(redirects);
  return [
    ...makeLiterals('a client id', asTexts(id)),
    ...makeLiterals('a redirect URI', uris),
    ...makeLiterals('a host of a redirect URI', uris.flatMap(uriSite)),
    ...makeLiterals('a notification URI', asAllTexts(notified).map(uriPath)),
    ...makeLiterals('an event endpoint', asTexts(events).map(uriPath)),
    ...asObjects(keys).flatMap(({ kid, n, x }) => [
      ...makeLiterals('a kid', asTexts(kid)),
      ...makeLiterals('a key', [...asTexts(n), ...asTexts(x)]),
    ]),
  ];
}

/** Values that describe one person; a word such as `postpaid` or `US` belongs to the interface. */
function personalValues(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return /[@,/]|^\w+ \w+$/.test(value) ? [value] : [];
  return isJsonObject(value) ? Object.values(value).flatMap(personalValues) : [];
}

function registrationLiterals({
  clients,
  subscribers,
  other_carriers: others,
  ...rest
}: JsonObject): readonly Literal[] {
  const foreign = asObjects(others);
  const urls = [...asTexts(rest['discovery_ui']), ...foreign.flatMap(({ issuer }) => asTexts(issuer))];
  return [
    ...asObjects(clients).flatMap(clientLiterals),
    ...asObjects(subscribers).flatMap(({ phone, profile }) => [
      ...makeLiterals('a phone number', asTexts(phone)),
      ...makeLiterals('a value of a profile', personalValues(profile)),
    ]),
    ...makeLiterals('the carrier code', asTexts(rest['mccmnc'])),
    ...makeLiterals(
      'a carrier code of others',
      foreign.flatMap(({ mccmnc }) => asTexts(mccmnc)),
    ),
    ...makeLiterals('a URL of the carrier', urls.flatMap(uriSite)),
  ];
}

function targetLiterals({ subscribers }: JsonObject): readonly Literal[] {
  const people = isJsonObject(subscribers) ? Object.values(subscribers).filter(isJsonObject) : [];
  const subs = people.flatMap(({ subs: known }) => (isJsonObject(known) ? Object.values(known).flatMap(asTexts) : []));
  return makeLiterals('a subscriber id', subs);
}

/** Every value of the fixture that a suite may not name, without duplicates, longest first. */
export function fixtureLiterals(registrations: JsonObject, target: JsonObject): readonly Literal[] {
  const all = [...registrationLiterals(registrations), ...targetLiterals(target)].filter(({ text }) => text.length > 1);
  const byText = new Map(all.toReversed().map((one) => [one.text, one]));
  return [...byText.values()].toSorted((a, b) => b.text.length - a.text.length);
}

/** A literal in a file; line and column count from 1. */
interface FoundLiteral extends Literal {
  readonly line: number;
  readonly column: number;
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Literals that occur as words in a text; those inside a longer one are not repeated. */
export function findLiterals(text: string, literals: readonly Literal[]): readonly FoundLiteral[] {
  const lower = text.toLowerCase();
  const kinds = new Map(literals.map((one) => [one.text.toLowerCase(), one]));
  const words = [...kinds.keys()].filter((word) => lower.includes(word));
  if (words.length === 0) return [];
  const pattern = new RegExp(`(?<![\\w.-])(?:${words.map(escaped).join('|')})(?!\\w)`, 'gi');
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(pattern)].flatMap((match) => {
      const known = kinds.get(match[0].toLowerCase());
      return known === undefined ? [] : [{ ...known, line: index + 1, column: match.index + 1 }];
    }),
  );
}

/** `suites/a/b.suite.yaml:3:5: sp.test is a host of a redirect URI of our fixture; write ...` */
export const renderLiteral = (file: string, { text, kind, line, column }: FoundLiteral): string =>
  `${file}:${line}:${column}: ${text} is ${kind} of the reference carrier; write ${replacements[kind]}`;

function read(file: string): JsonObject {
  const { json } = parseYaml(readFileSync(file, 'utf8'), file);
  if (!isJsonObject(json)) throw new Error(`${file} is no mapping`);
  return json;
}

/** Every position in suites/ that names a value of the reference carrier, one line each (P7). */
export function literalsInSuites(): readonly string[] {
  const literals = fixtureLiterals(
    read(`${referenceFolder}/registrations.json`),
    read(`${referenceFolder}/carrier.yaml`),
  );
  return readdirSync(join(packageRoot, 'suites'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => {
      const text = readFileSync(join(packageRoot, 'suites', name), 'utf8');
      return findLiterals(text, literals).map((found) => renderLiteral(`suites/${name}`, found));
    });
}
