import type { Target } from '../../model/target.ts';
import { lookAtOrigin, type OriginFacts } from '../../wire/send/connect.ts';
import type { Sender } from '../../wire/send/send.ts';
import type { Endpoints } from '../context/case-context.ts';
import { type Note, notesOf, type Advice, adviceFor, type Found, ok, problem, warning } from './note.ts';

/** Days before its end that a certificate is worth a word. */
const soon = 30;
const day = 86_400_000;

/** By the code of Node or OpenSSL. */
const failures: readonly Advice[] = [
  {
    matches: /UNABLE_TO|SELF_SIGNED|ISSUER|CERT_UNTRUSTED|CERT_SIGNATURE/,
    whose: 'configuration',
    change: 'name the authority of its certificate under "tls: { ca }"',
  },
  { matches: /ALTNAME/, whose: 'carrier', change: 'its certificate is for another name: is the URL right?' },
  { matches: /EXPIRED|NOT_YET_VALID/, whose: 'carrier', change: 'the carrier has to renew its certificate' },
  {
    matches: /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA/,
    whose: 'configuration',
    change: 'it asks for a certificate of ours: "tls: { cert, key }"',
  },
  { matches: /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, whose: 'configuration', change: 'see "tls: { min_version }"' },
  { matches: /WRONG_VERSION|EPROTO/, whose: 'configuration', change: 'is it https that is spoken there?' },
  { matches: /ENOTFOUND|EAI_AGAIN/, whose: 'configuration', change: 'is the host spelt right?' },
];

const blocked = {
  whose: 'network',
  change: 'is there a firewall or a "proxy" between, and is the carrier up?',
} as const;

/** What facts mean for the names of the endpoints that are there. */
export function noteOfFacts(about: string, facts: OriginFacts, now: number): Found {
  if (facts.kind === 'failed') {
    const description = `not reached: ${facts.code} (${facts.detail})`;
    return problem(about, { description, ...adviceFor(facts.code, failures, blocked) });
  }
  if (facts.kind === 'plain') return ok(about, 'reached, without TLS');
  const left = Math.floor((facts.validTo - now) / day);
  const description = `${facts.version}, ${facts.cipher}, certificate of ${facts.subject} by ${facts.issuer}, ${left} days left`;
  if (left >= soon) return ok(about, description);
  return warning(about, { whose: 'carrier', description, change: 'the carrier has to renew its certificate' });
}

/** Through a proxy the connection to the origin cannot be looked at: any response shows that one is there. */
async function askOrigin(origin: string, about: string, sender: Sender): Promise<Found> {
  const sent = await sender.send({ method: 'GET', url: `${origin}/`, headers: [] });
  if ('response' in sent) return ok(about, `answered through the proxy: HTTP ${sent.response.status}`);
  const { reason, detail } = sent.noResponse;
  const change = 'is "proxy" right, and does it let us through?';
  return problem(about, {
    whose: 'network',
    description: `not reached through the proxy: ${reason} (${detail})`,
    change,
  });
}

interface Sorted {
  /** Names of the endpoints that are there. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
  readonly odd: readonly Found[];
}

/** By origin; what a configuration publishes need not be a URL that can be called. */
function sortByOrigin(urls: Endpoints['urls']): Sorted {
  const origins = new Map<string, readonly string[]>();
  const odd: Found[] = [];
  for (const [name, url] of Object.entries(urls)) {
    const { origin, protocol } = new URL(url);
    if (protocol === 'http:' || protocol === 'https:') origins.set(origin, [...(origins.get(origin) ?? []), name]);
    else {
      const change = 'the carrier has to publish an https URL';
      odd.push(problem(name, { whose: 'carrier', description: `${protocol} is no scheme that can be called`, change }));
    }
  }
  return { origins, odd };
}

const unnamed = (endpoint: string): Found =>
  problem(endpoint, {
    whose: 'configuration',
    description: `neither discovery nor the file names the endpoint ${endpoint}`,
    change: 'name it under "endpoints"',
  });

interface EndpointsAsking {
  readonly sender: Sender;
  readonly now: () => number;
  /** The endpoint that there must be. */
  readonly required?: string;
}

/** One connection to each origin. */
export async function checkEndpoints(
  { tls, proxy, requestTimeout }: Target,
  { urls, refused = {} }: Endpoints,
  { sender, now, required }: EndpointsAsking,
): Promise<readonly Note[]> {
  const { origins, odd } = sortByOrigin(urls);
  const looked = [...origins].map(async ([origin, names]): Promise<Found> => {
    const about = `${origin} (${names.join(', ')})`;
    if (proxy !== undefined) return askOrigin(origin, about, sender);
    return noteOfFacts(about, await lookAtOrigin(origin, tls, requestTimeout * 1000), now());
  });
  const missing =
    required === undefined || (urls[required] ?? refused[required]) !== undefined ? [] : [unnamed(required)];
  return notesOf('endpoints', [...missing, ...odd, ...(await Promise.all(looked))]);
}
