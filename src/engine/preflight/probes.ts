import { createHash } from 'node:crypto';
import { countOf } from '../../lib/lists.ts';
import type { Interface } from '../../model/interface.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Client, ClientKey, Target } from '../../model/target.ts';
import { isOff, type Skew } from '../../wire/send/skew.ts';
import { namedUrls } from '../context/endpoints.ts';
import { type Asking, type Discovered, discover, findEndpoints, listedAlgorithms } from '../discover.ts';
import { contradictions } from '../plan/check-target.ts';
import { type Advice, adviceFor, type Found, ok, problem, skipped, warning } from './note.ts';

/** Form of a kid that every carrier accepts. */
const kidPattern = /^[a-zA-Z0-9]{1,36}$/;

/** Fingerprint of a key: keys with the same public part are equal. */
const printOf = ({ jwk }: ClientKey): string =>
  createHash('sha256')
    .update(JSON.stringify([jwk['kty'], jwk['n'] ?? jwk['x'], jwk['e'] ?? jwk['y']]))
    .digest('hex');

function judgeKeys({ name, keys, secret }: Client, owners: ReadonlyMap<string, readonly string[]>): Found {
  const about = `client ${name}`;
  const odd = keys.find(({ kid }) => !kidPattern.test(kid));
  if (odd !== undefined) {
    const description = `the kid ${odd.kid} is not 1 to 36 letters and digits`;
    return warning(about, { description, change: 'register the key under another kid, and name that' });
  }
  const shared = keys.map((key) => owners.get(printOf(key)) ?? []).find((names) => names.length > 1);
  if (shared !== undefined) {
    const description = `the same key belongs to ${shared.join(' and ')}: cases with the key of another client mean nothing`;
    return problem(about, { description, change: 'give each client a key of its own' });
  }
  if (keys.length > 0) {
    const algs = keys.map(({ alg }) => alg).join(', ');
    return ok(about, `${countOf(keys.length, 'key')} (${algs}), each signs and verifies`);
  }
  if (secret !== undefined) return ok(about, 'a secret');
  return warning(about, { description: 'neither a key nor a secret', change: 'name its keys under "keys"' });
}

/** Checks which clients the keys belong to; reading the target file has tried the keys themselves. */
export function checkKeys({ clients }: Target): readonly Found[] {
  const owners = new Map<string, string[]>();
  for (const { name, keys } of clients) {
    for (const key of keys) owners.set(printOf(key), [...(owners.get(printOf(key)) ?? []), name]);
  }
  return clients.map((client) => judgeKeys(client, owners));
}

/** Matched against the message of `discover`. */
const discoveryAdvice: Advice = [
  [/: unresolved/, 'configuration', 'is the host of "discovery" spelt right? No name server knows it from here'],
  [
    /: tls/,
    'configuration',
    'name the authority of its certificate under "tls: { ca }", or our certificate where it asks for one',
  ],
  [
    /: refused/,
    'network',
    'nothing listens there: is the carrier up, is the port right, and is there a firewall or a "proxy" between?',
  ],
  [/: (timeout|reset)/, 'network', 'is there a firewall or a "proxy" between?'],
  // A client that asks for an unknown carrier may be redirected, with 200.
  [
    /HTTP [24]\d\d/,
    'configuration',
    'does it know the client_id of the first client and the mccmnc of the file, and is "discovery" its address?',
  ],
  [/(?:)/, 'carrier', 'the carrier has to fix its discovery endpoint'],
];

/** Fetches the configuration; without it nothing else can be tried. */
export async function checkDiscovery(
  target: Target,
  asking: Asking,
): Promise<{ readonly notes: readonly Found[]; readonly found?: Discovered }> {
  try {
    const found = await discover(target, asking);
    const urls = namedUrls(found);
    const names = Object.keys(urls).filter((name) => {
      // Skip an endpoint at the URL of another one, because the target file names no URL for it.
      const { elseAs } = asking.interface.endpoints[name] ?? {};
      return name !== 'discovery' && (elseAs === undefined || urls[name] !== urls[elseAs]);
    });
    const source = found.configuration === undefined ? 'the target file' : 'discovery';
    const issuer = found.issuer === '' ? '(none)' : found.issuer;
    const description = `${source} names the issuer ${issuer} and ${countOf(names.length, 'endpoint')}: ${names.join(', ')}`;
    return { notes: [ok(source, description)], found };
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
    const trouble = { description: error.message, ...adviceFor(error.message, discoveryAdvice) };
    return { notes: [problem(target.discovery ?? '', trouble)] };
  }
}

export function checkSupports(target: Target, found: Discovered, certified: Interface): readonly Found[] {
  const urls = namedUrls(found);
  const { endpoints, featureSigns } = certified;
  const wrong = contradictions(target, { urls, configuration: found.configuration }, certified).map((place) =>
    problem('supports', { description: place.message, change: place.hint ?? '', place }),
  );
  // Cases of a feature are inconclusive if the file does not mention it and its endpoint is unknown.
  const silent = Object.keys(featureSigns)
    .filter((word) => word !== 'discovery' && Object.hasOwn(endpoints, word))
    .filter((word) => target.supports[word] === undefined && urls[word] === undefined)
    .map((word) =>
      warning('supports', {
        description: `there is not ${featureSigns[word]?.description ?? word}, and the file does not say that the carrier has no ${word}: cases that need it will be inconclusive`,
        change: `write "supports: { ${word}: false }", or name it under "endpoints"`,
      }),
    );
  const notes = [...wrong, ...silent];
  return notes.length === 0 ? [ok('supports', 'nothing contradicts what the carrier publishes')] : notes;
}

export async function checkCodes(own: Discovered, target: Target, asking: Asking): Promise<readonly Found[]> {
  const { mccmnc, carrierCodes: { own: codes = [], foreign = [] } = {}, discovery } = target;
  if (discovery === undefined) return [];
  /** Whether discovery returns this carrier's configuration for a code. */
  const isOwn = async (code: string): Promise<boolean> => {
    try {
      const found = await findEndpoints({ ...target, mccmnc: code, endpoints: {} }, asking);
      return found.issuer === own.issuer && namedUrls(found)['token'] === namedUrls(own)['token'];
    } catch (error) {
      if (error instanceof CarrierspecError) return false;
      throw error;
    }
  };
  const notes: Found[] = [];
  for (const code of codes) {
    if (code === mccmnc) continue;
    const about = `carrier code ${code}`;
    const description = 'it is named as one of this carrier, and discovery does not give its configuration';
    const change = 'take it out of carrier_codes.own, or let the carrier publish it';
    notes.push(
      (await isOwn(code))
        ? ok(about, 'discovery gives the configuration of this carrier')
        : problem(about, { description, change }),
    );
  }
  for (const code of foreign) {
    const about = `carrier code ${code}`;
    const description = 'it is named as foreign, and discovery gives the configuration of this carrier';
    const change = 'write it under carrier_codes.own, or let the carrier refuse it';
    notes.push(
      (await isOwn(code))
        ? problem(about, { description, change })
        : ok(about, 'discovery gives no configuration of this carrier'),
    );
  }
  if (foreign.length > 0) return notes;
  return [...notes, skipped('carrier codes', 'none of another carrier is named: cases that ask with one are not run')];
}

/** Checks for a key of each algorithm that discovery lists, and for keys of unlisted ones (C7.22). */
export function checkAlgorithms(found: Discovered, { clients }: Target, members: readonly string[]): readonly Found[] {
  const algs: readonly string[] = listedAlgorithms(found.configuration, members);
  if (algs.length === 0) return [];
  const listed = algs.join(', ');
  const owned = new Set(clients.flatMap(({ keys }) => keys.map(({ alg }) => alg)));
  const missing = algs.filter((alg) => !owned.has(alg));
  const note =
    missing.length === 0
      ? ok('algorithms', `there is a key for each that discovery lists: ${listed}`)
      : warning('algorithms', {
          description: `discovery lists ${listed}, and no client has a key of ${missing.join(', ')}`,
          change: `register a key of ${missing.join(' and one of ')} with one of the clients; carrierspec init --alg makes them`,
        });
  const unlisted = clients.flatMap(({ name, keys }) =>
    keys
      .filter(({ alg }) => !algs.includes(alg))
      .map(({ alg, kid }) =>
        warning(`client ${name}`, {
          description: `discovery lists ${listed}, so its key ${kid} of ${alg} cannot be used: cases that sign with it and are refused have no verdict`,
          change: `register a key of ${listed} in its place; carrierspec init --alg ${algs[0] ?? ''} makes one`,
        }),
      ),
  );
  return [note, ...unlisted];
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Checks the carrier's clock; a small difference is harmless, because requests are dated by that clock. */
export function checkClock({ clock }: Pick<Target, 'clock'>, skew: Skew | undefined, doubt?: string): Found {
  if (clock !== undefined) {
    return ok('clock', 'the carrier has a virtual clock: such a run cannot certify a production carrier');
  }
  if (skew === undefined && doubt !== undefined) {
    const description = `the carrier sends ${doubt}: it is not believed, and requests are dated by our clock`;
    return warning('clock', {
      whose: 'carrier',
      description,
      change: 'the carrier has to set the clock of its servers',
    });
  }
  if (skew === undefined) return skipped('clock', 'no Date header has shown the carrier’s time yet');
  const description = `the carrier’s clock is ${inSeconds(Math.abs(skew.offset))} ${skew.offset < 0 ? 'behind' : 'ahead of'} ours (± ${inSeconds(skew.uncertainty)})`;
  // A Date header has whole seconds: a difference within the uncertainty is none.
  if (!isOff(skew)) return ok('clock', description);
  return warning('clock', { description, change: 'compare both with a time server: the one that is off is to be set' });
}
