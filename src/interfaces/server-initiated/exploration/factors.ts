import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { groupBy } from '../../../lib/lists.ts';
import type { Target } from '../../../model/target.ts';
import { touchedIn } from './difference-json.ts';
import { moreParts } from './more-parts.ts';
import { acceptedRule, type Part, type Runs, type Value } from './part.ts';
import type { Point } from './points.ts';

const plain: Value = { name: 'as it is', difference: {}, rule: acceptedRule };

const longest = 60;
const shorten = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text);

const nameOf = (difference: JsonObject): string => shorten(JSON.stringify(difference).slice(1, -1).replaceAll('"', ''));

/** Parts that say which key signs and for whom: they go together. */
function idOf(touched: ReadonlySet<string>): string | undefined {
  if (touched.has('client') || touched.has('key')) return 'client and key';
  const [only, ...others] = touched;
  return others.length === 0 ? only : undefined;
}

/** A URI of a certain scheme, or the second of a list; or how many keys there are counts. */
const readsLists = (difference: JsonObject): boolean =>
  touchedIn(difference).has('header.kid') ||
  /first_with|client\.(?:redirect|notification)_uris|client\.keys/.test(JSON.stringify(difference));

const isPlainSetting = ({ case: { client, subscriber, receiver, exclusive } }: Point): boolean =>
  client === 'main' && subscriber === 'consented' && receiver.length === 0 && !exclusive;

/** Registrations that may send in place of the case's. */
function clientsOf({ clients }: Target): readonly Value[] {
  const may = clients.filter(
    ({ name, flags, keys }) => name !== 'main' && flags['server_initiated'] === true && keys.length > 0,
  );
  return may
    .filter(({ name }) => ['second', 'privileged', 'two-keys'].includes(name))
    .flatMap(({ name, keys }) => {
      const own: Value = { name: `client: ${name}`, difference: {}, client: name, rule: acceptedRule };
      const second: JsonObject = { key: 'second', header: { kid: '{{ client.keys.1.kid }}' } };
      return name === 'two-keys' && keys.length > 1
        ? [own, { name: 'the second key of two-keys', difference: second, client: name, rule: 'HDR-001' }]
        : [own];
    });
}

function distinct(values: readonly Value[]): readonly Value[] {
  const seen = new Map(
    values.map((value) => [JSON.stringify([value.difference, value.client]), value] as const).toReversed(),
  );
  return [...seen.values()].toReversed();
}

/** Each claim that a difference sets or drops, as a difference of its own: several conforming values conform alone. */
function eachClaim(difference: JsonObject): readonly JsonObject[] {
  const { claims, drop, ...others } = difference;
  if (Object.keys(others).length > 0) return [difference];
  return [
    ...(isJsonObject(claims) ? Object.entries(claims).map(([name, value]) => ({ claims: { [name]: value } })) : []),
    ...(Array.isArray(drop) ? drop.map((name): JsonObject => ({ drop: [String(name)] })) : []),
  ];
}

/** The same jti is not accepted twice. */
const isUsedUp = ({ claims }: JsonObject): boolean =>
  isJsonObject(claims) && typeof claims['jti'] === 'string' && !claims['jti'].includes('{{');

/** Parts of a request and their conforming values, as the listed cases have them. */
export function partsOf(points: readonly Point[], target: Target, runs: Runs): readonly Part[] {
  const conforming = points
    .filter((point) => point.outcome === 'accepted' && isPlainSetting(point) && runs(point.case.id))
    .flatMap(({ difference: whole, rule }) =>
      eachClaim(whole).flatMap((difference) => {
        const id = idOf(touchedIn(difference));
        return id === undefined || id === 'client and key' || isUsedUp(difference) ? [] : [{ id, difference, rule }];
      }),
    );
  const groups = [...groupBy(conforming, ({ id }) => id)].map(([id, group]) => ({
    id,
    values: distinct([
      plain,
      ...group.map(({ difference, rule }): Value => {
        const value = { name: nameOf(difference), difference, rule };
        return readsLists(difference) ? { ...value, ofClient: true } : value;
      }),
    ]),
  }));
  const all = groupBy([...groups, ...moreParts(target, runs)], ({ id }) => id);
  const together = [...all].map(([id, some]) => ({
    id,
    values: distinct([plain, ...some.flatMap(({ values }) => values)]),
  }));
  return [...together, { id: 'client and key', values: [plain, ...clientsOf(target)] }].filter(
    ({ values }) => values.length > 1,
  );
}
