import { defined } from '../../../lib/optional.ts';
import type { Single } from './single.ts';
import { lostAdditions } from './strings.ts';

/** A text of a template: a quote inside is doubled. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Claims that must equal something exactly: the template of the right value, the rule, and what is not tried. */
interface Exact {
  readonly claim: string;
  readonly right: string;
  readonly rule: string;
  readonly error?: readonly string[];
  /** The list of all that are right. */
  readonly among?: string;
  /** The names of additions that may leave the value what it is. */
  readonly except?: RegExp;
  /** Lengths of which a value may share its beginning with the right one. */
  readonly heads?: readonly number[];
}

export const exact: readonly Exact[] = [
  { claim: 'iss', right: 'client.client_id', rule: 'REQ-002', heads: [4, 8, 12, 16] },
  { claim: 'client_id', right: 'client.client_id', rule: 'REQ-026', heads: [4, 8, 12, 16] },
  {
    claim: 'redirect_uri',
    right: 'client.redirect_uri',
    among: 'client.redirect_uris',
    rule: 'REQ-030',
    heads: [8, 12, 16],
  },
  {
    claim: 'notification_uri',
    right: 'client.notification_uri',
    among: 'client.notification_uris',
    rule: 'REQ-033',
    // What a reader of URIs leaves out or folds is another spelling (REQ-033#spelling).
    except: /blank|tab|feed|return|capitals/,
    heads: [10, 16, 20, 24],
  },
  {
    claim: 'login_hint',
    right: 'subscriber.sub',
    rule: 'FLOW-004',
    // A lookup that leaves these out finds the subscriber that is meant.
    except: /blank|space|tab|feed|return|accent|byte order|mark|hyphen|NUL|capitals/,
    heads: [7, 12, 16, 20],
  },
  { claim: 'response_type', right: "'async_token'", rule: 'REQ-022', except: /blank|space/ },
  {
    claim: 'acr_values',
    right: "'a3'",
    rule: 'REQ-058',
    error: ['invalid_request'],
    except: /blank|space/,
  },
  { claim: 'aud', right: 'target.issuer', rule: 'REQ-007', except: /^(?!a letter$)/, heads: [10, 16] },
];

/** Templates of values that are almost the right one, each with words for it. */
export function almost({
  right,
  except,
  heads = [],
}: Pick<Exact, 'right' | 'except' | 'heads'>): readonly (readonly [title: string, template: string])[] {
  const added = Object.entries(lostAdditions).filter(([name]) => except?.test(name) !== true);
  return [
    ...added.map(([name, text]) => [`with ${name} behind it`, `concat(${right}, ${quoted(text)})`] as const),
    ...added.map(([name, text]) => [`with ${name} before it`, `concat(${quoted(text)}, ${right})`] as const),
    ...(except?.test('capitals') === true ? [] : [['in capitals', `unlisted(${right}, upper(${right}))`] as const]),
    ...[...wide].flatMap(([narrow, full]) =>
      right.startsWith("'") && right.includes(narrow)
        ? [[`with a ${narrow} of full width`, right.replace(narrow, full)] as const]
        : [],
    ),
    ...heads.map(
      (length) =>
        [
          `of which the first ${length} characters are right`,
          `concat(head(${right}, ${length}), letters(12))`,
        ] as const,
    ),
  ];
}

/** What compatibility forms make of letters and digits (Unicode NFKC). */
const wide = new Map([
  ['a', 'ａ'],
  ['3', '３'],
  ['k', '\u212a'],
]);

export const nearMisses = ({ claim, right, rule, error, among, except, heads = [] }: Exact): readonly Single[] =>
  almost({ right, heads, ...defined({ except }) }).map(([title, template]) => ({
    title: `${claim} ${title} is denied`,
    difference: { claims: { [claim]: `{{ ${among === undefined ? template : `unlisted(${among}, ${template})`} }}` } },
    rule,
    outcome: 'denied',
    // A carrier may refuse a NUL wherever it stands (SEC-11).
    ...(error === undefined || title.includes('NUL') ? {} : { error }),
  }));

/** Changes of a URI that leave it what it is to a resolver, and another text (RFC 3986 §6). */
const uriChanges: readonly (readonly [title: string, template: (right: string) => string])[] = [
  ['with a dot behind its host', (uri) => `with(${uri}, 'host', concat(part(${uri}, 'host'), '.'))`],
  ['with its host in capitals', (uri) => `with(${uri}, 'host', upper(part(${uri}, 'host')))`],
  ['with its scheme in capitals', (uri) => `with(${uri}, 'scheme', upper(part(${uri}, 'scheme')))`],
  ['with a user before its host', (uri) => `with(${uri}, 'user', 'x')`],
  ['with another port', (uri) => `with(${uri}, 'port', '8444')`],
  ['with an escaped letter', (uri) => `escaped(${uri})`],
  ['with its path in capitals', (uri) => `with(${uri}, 'path', concat(part(${uri}, 'path'), '/X'))`],
  ['with a dot segment', (uri) => `with(${uri}, 'path', concat('/.', part(${uri}, 'path')))`],
  ['with two slashes', (uri) => `with(${uri}, 'path', concat('/', part(${uri}, 'path')))`],
  ['with a parent segment', (uri) => `with(${uri}, 'path', concat('/x/..', part(${uri}, 'path')))`],
  ['with a query', (uri) => `with(${uri}, 'query', 'a=b')`],
  ['with an empty query', (uri) => `concat(${uri}, '?')`],
  ['with a fragment', (uri) => `with(${uri}, 'fragment', 'x')`],
  ['with a path parameter', (uri) => `concat(${uri}, ';a=b')`],
];

/** Changes after which a reader of URIs finds the same place (RFC 3986 §6.2). */
const spellings: ReadonlySet<string> = new Set([
  'with a dot behind its host',
  'with its host in capitals',
  'with its scheme in capitals',
  'with an escaped letter',
  'with a dot segment',
  'with two slashes',
  'with a parent segment',
  'with an empty query',
]);

export function uriSingles(): readonly Single[] {
  const first = "first_with(client.redirect_uris, 'https:')";
  const issuers = uriChanges.map(
    ([title, template]): Single => ({
      title: `aud ${title} is denied`,
      difference: { claims: { aud: `{{ unlisted(target.issuer, ${template('target.issuer')}) }}` } },
      rule: 'REQ-007#near-miss',
      outcome: 'denied',
    }),
  );
  const registered = uriChanges.flatMap(([title, template]): readonly Single[] => [
    {
      title: `redirect_uri ${title} is denied`,
      difference: { claims: { redirect_uri: `{{ unlisted(client.redirect_uris, ${template(first)}) }}` } },
      rule: 'REQ-030',
      outcome: 'denied',
    },
    {
      title: `notification_uri ${title} is denied`,
      difference: {
        claims: {
          notification_uri: `{{ unlisted(client.notification_uris, ${template('client.notification_uri')}) }}`,
        },
      },
      rule: spellings.has(title) ? 'REQ-033#spelling' : 'REQ-033',
      outcome: 'denied',
    },
  ]);
  return [...issuers, ...registered];
}
