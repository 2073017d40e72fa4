import { createHash } from 'node:crypto';
import { countNoun } from '../../lib/lists.ts';
import type { NoResponse } from '../../model/exchange.ts';
import type { Interface } from '../../model/interface.ts';
import { CarrierspecError } from '../../model/problem.ts';
import type { Client, ClientKey, Target } from '../../model/target.ts';
import { isClockOff, type Skew } from '../../wire/send/skew.ts';
import { allEndpointUrls } from '../context/endpoints.ts';
import {
  DiscoveryError,
  type DiscoveryServices,
  type DiscoveryOutcome,
  discover,
  fetchEndpoints,
  listedAlgorithms,
} from '../discover.ts';
import { contradictions, misspeltScopes } from '../plan/check-target.ts';
import { type Advice, type ProbeNote, okNote, problemNote, skippedNote, warningNote } from '../context/note.ts';

/** Form of a kid that every carrier accepts. */
const kidPattern = /^[a-zA-Z0-9]{1,36}$/;

/** Fingerprint of a key: keys with the same public part are equal. */
const keyFingerprint = ({ jwk }: ClientKey): string =>
  createHash('sha256')
    .update(JSON.stringify([jwk['kty'], jwk['n'] ?? jwk['x'], jwk['e'] ?? jwk['y']]))
    .digest('hex');

function judgeKeys({ name, keys, secret }: Client, owners: ReadonlyMap<string, readonly string[]>): ProbeNote {
  const about = `client ${name}`;
  const odd = keys.find(({ kid }) => !kidPattern.test(kid));
  if (odd !== undefined) {
    const description = `the kid ${odd.kid} is not 1 to 36 letters and digits`;
    return warningNote(about, { description, change: 'register the key under another kid, and name that' });
  }
  const shared = keys.map((key) => owners.get(keyFingerprint(key)) ?? []).find((names) => names.length > 1);
  if (shared !== undefined) {
    const description = `the same key belongs to ${shared.join(' and ')}: cases with the key of another client mean nothing`;
    return problemNote(about, { description, change: 'give each client a key of its own' });
  }
  if (keys.length > 0) {
    const algs = keys.map(({ alg }) => alg).join(', ');
    return okNote(about, `${countNoun(keys.length, 'key')} (${algs}), each signs and verifies`);
  }
  if (secret !== undefined) return okNote(about, 'a secret');
  return warningNote(about, { description: 'neither a key nor a secret', change: 'name its keys under "keys"' });
}

/** Checks which clients the keys belong to; reading the target file has tried the keys themselves. */
export function checkKeys({ clients }: Target): readonly ProbeNote[] {
  const owners = new Map<string, string[]>();
  for (const { name, keys } of clients) {
    for (const key of keys) owners.set(keyFingerprint(key), [...(owners.get(keyFingerprint(key)) ?? []), name]);
  }
  return clients.map((client) => judgeKeys(client, owners));
}

const betweenAdvice: Advice = { whose: 'network', change: 'is there a firewall or a "proxy" between?' };

const silenceAdvice: Readonly<Partial<Record<NoResponse, Advice>>> = {
  unresolved: {
    whose: 'configuration',
    change: 'is the host of "discovery" spelt right? No name server knows it from here',
  },
  tls: {
    whose: 'configuration',
    change: 'name the authority of its certificate under "tls: { ca }", or our certificate where it asks for one',
  },
  refused: {
    whose: 'network',
    change:
      'nothing listens there: is the carrier up, is the port right, and is there a firewall or a "proxy" between?',
  },
  timeout: betweenAdvice,
  reset: betweenAdvice,
};

/** Advice for a discovery that failed. A client that asks for an unknown carrier may be redirected, and then gets 200. */
function discoveryAdvice({ sign }: DiscoveryError): Advice {
  const isUnknown = typeof sign === 'number' && ((sign >= 200 && sign < 300) || (sign >= 400 && sign < 500));
  if (isUnknown) {
    const change =
      'does it know the client_id of the first client and the mccmnc of the file, and is "discovery" its address?';
    return { whose: 'configuration', change };
  }
  const silence = typeof sign === 'string' ? silenceAdvice[sign] : undefined;
  return silence ?? { whose: 'carrier', change: 'the carrier has to fix its discovery endpoint' };
}

/** Fetches the configuration; without it nothing else can be tried. */
export async function checkDiscovery(
  target: Target,
  asking: DiscoveryServices,
): Promise<{ readonly notes: readonly ProbeNote[]; readonly found?: DiscoveryOutcome }> {
  try {
    const found = await discover(target, asking);
    const urls = allEndpointUrls(found);
    const names = Object.keys(urls).filter((name) => {
      // Skip an endpoint at the URL of another one, because the target file names no URL for it.
      const { elseAs } = asking.interface.endpoints[name] ?? {};
      return name !== 'discovery' && (elseAs === undefined || urls[name] !== urls[elseAs]);
    });
    const source = found.configuration === undefined ? 'the target file' : 'discovery';
    const issuer = found.issuer === '' ? '(none)' : found.issuer;
    const description = `${source} names the issuer ${issuer} and ${countNoun(names.length, 'endpoint')}: ${names.join(', ')}`;
    return { notes: [okNote(source, description)], found };
  } catch (error) {
    if (!(error instanceof DiscoveryError)) throw error;
    const trouble = { description: error.message, ...discoveryAdvice(error) };
    return { notes: [problemNote(target.discovery ?? '', trouble)] };
  }
}

export function checkSupports(target: Target, found: DiscoveryOutcome, certified: Interface): readonly ProbeNote[] {
  const urls = allEndpointUrls(found);
  const { endpoints, featureSigns } = certified;
  const wrong = contradictions(target, { urls, configuration: found.configuration }, certified).map((place) =>
    problemNote('supports', { description: place.message, change: place.hint ?? '', place }),
  );
  // Cases of a feature are inconclusive if the file does not mention it and its endpoint is unknown.
  const silent = Object.keys(featureSigns)
    .filter((word) => word !== 'discovery' && Object.hasOwn(endpoints, word))
    .filter((word) => target.supports[word] === undefined && urls[word] === undefined)
    .map((word) =>
      warningNote('supports', {
        description: `there is not ${featureSigns[word]?.description ?? word}, and the file does not say that the carrier has no ${word}: cases that need it will be inconclusive`,
        change: `write "supports: { ${word}: false }", or name it under "endpoints"`,
      }),
    );
  const notes = [...wrong, ...silent];
  return notes.length === 0 ? [okNote('supports', 'nothing contradicts what the carrier publishes')] : notes;
}

export const checkScopes = (target: Target, certified: Pick<Interface, 'scopes'>): readonly ProbeNote[] =>
  misspeltScopes(target, certified).map((place) =>
    warningNote('scopes', { description: place.message, change: place.hint ?? '', place }),
  );

export async function checkCodes(
  own: DiscoveryOutcome,
  target: Target,
  asking: DiscoveryServices,
): Promise<readonly ProbeNote[]> {
  const { mccmnc, carrierCodes: { own: codes = [], foreign = [] } = {}, discovery } = target;
  if (discovery === undefined) return [];
  /** Whether discovery returns this carrier's configuration for a code. */
  const isOwn = async (code: string): Promise<boolean> => {
    try {
      const found = await fetchEndpoints({ ...target, mccmnc: code, endpoints: {} }, asking);
      return found.issuer === own.issuer && allEndpointUrls(found)['token'] === allEndpointUrls(own)['token'];
    } catch (error) {
      if (error instanceof CarrierspecError) return false;
      throw error;
    }
  };
  const notes: ProbeNote[] = [];
  for (const code of codes) {
    if (code === mccmnc) continue;
    const about = `carrier code ${code}`;
    const description = 'it is named as one of this carrier, and discovery does not give its configuration';
    const change = 'take it out of carrier_codes.own, or let the carrier publish it';
    notes.push(
      (await isOwn(code))
        ? okNote(about, 'discovery gives the configuration of this carrier')
        : problemNote(about, { description, change }),
    );
  }
  for (const code of foreign) {
    const about = `carrier code ${code}`;
    const description = 'it is named as foreign, and discovery gives the configuration of this carrier';
    const change = 'write it under carrier_codes.own, or let the carrier refuse it';
    notes.push(
      (await isOwn(code))
        ? problemNote(about, { description, change })
        : okNote(about, 'discovery gives no configuration of this carrier'),
    );
  }
  if (foreign.length > 0) return notes;
  return [
    ...notes,
    skippedNote('carrier codes', 'none of another carrier is named: cases that ask with one are not run'),
  ];
}

/** Checks for a key of each algorithm that discovery lists, and for keys of unlisted ones (C7.22). */
export function checkAlgorithms(
  found: DiscoveryOutcome,
  { clients }: Target,
  members: readonly string[],
): readonly ProbeNote[] {
  const algs: readonly string[] = listedAlgorithms(found.configuration, members);
  if (algs.length === 0) return [];
  const listed = algs.join(', ');
  const owned = new Set(clients.flatMap(({ keys }) => keys.map(({ alg }) => alg)));
  const missing = algs.filter((alg) => !owned.has(alg));
  const note =
    missing.length === 0
      ? okNote('algorithms', `there is a key for each that discovery lists: ${listed}`)
      : warningNote('algorithms', {
          description: `discovery lists ${listed}, and no client has a key of ${missing.join(', ')}`,
          change: `register a key of ${missing.join(' and one of ')} with one of the clients; carrierspec init --alg makes them`,
        });
  const unlisted = clients.flatMap(({ name, keys }) =>
    keys
      .filter(({ alg }) => !algs.includes(alg))
      .map(({ alg, kid }) =>
        warningNote(`client ${name}`, {
          description: `discovery lists ${listed}, so its key ${kid} of ${alg} cannot be used: cases that sign with it and are refused have no verdict`,
          change: `register a key of ${listed} in its place; carrierspec init --alg ${algs[0] ?? ''} makes one`,
        }),
      ),
  );
  return [note, ...unlisted];
}

const formatMilliseconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Checks the carrier's clock; a small difference is harmless, because requests are dated by that clock. */
export function checkClock({ clock }: Pick<Target, 'clock'>, skew: Skew | undefined, doubt?: string): ProbeNote {
  if (clock !== undefined) {
    return okNote('clock', 'the carrier has a virtual clock: such a run cannot certify a production carrier');
  }
  if (skew === undefined && doubt !== undefined) {
    const description = `the carrier sends ${doubt}: it is not believed, and requests are dated by our clock`;
    return warningNote('clock', {
      whose: 'carrier',
      description,
      change: 'the carrier has to set the clock of its servers',
    });
  }
  if (skew === undefined) return skippedNote('clock', 'no Date header has shown the carrier’s time yet');
  const description = `the carrier’s clock is ${formatMilliseconds(Math.abs(skew.offset))} ${skew.offset < 0 ? 'behind' : 'ahead of'} ours (± ${formatMilliseconds(skew.uncertainty)})`;
  // A Date header has whole seconds: a difference within the uncertainty is none.
  if (!isClockOff(skew)) return okNote('clock', description);
  return warningNote('clock', {
    description,
    change: 'compare both with a time server: the one that is off is to be set',
  });
}
