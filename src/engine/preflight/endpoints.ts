import { describeNoResponse } from '../../model/exchange.ts';
import type { Target } from '../../model/target.ts';
import { probeOrigin, type OriginFacts } from '../../wire/send/connections.ts';
import type { Sender } from '../../wire/send/sender.ts';
import type { Endpoints } from '../context/case-context.ts';
import { type Advice, type Blame, type ProbeNote, okNote, problemNote, warningNote } from '../context/note.ts';
import { describeRefused } from '../context/endpoints.ts';

/** Reports endpoints where nothing is sent, because their origins are on another site and not in the target file. */
export function checkOrigins(
  { refused = {} }: Endpoints,
  target: Target,
  requestEndpoint: string,
): readonly ProbeNote[] {
  const all = Object.entries(refused);
  const origins = new Set([...(target.origins ?? []), ...all.flatMap(([, { origin }]) => origin ?? [])]);
  const line = `origins: [${[...origins].map((one) => JSON.stringify(one)).join(', ')}]`;
  return all.map(([name, one]): ProbeNote => {
    const description = `${describeRefused(one)}: nothing is sent there, and cases that need it will be inconclusive`;
    const trouble =
      one.origin === undefined
        ? ({
            whose: 'carrier',
            change: 'the carrier has to publish an https URL, without a user or a password',
          } as const)
        : { change: `if the carrier is there as well, write in ${target.file}: ${line}` };
    return (name === requestEndpoint ? problemNote : warningNote)(name, { description, ...trouble });
  });
}

/** Days before its expiry from which a certificate gets a warning. */
const expiryWarningDays = 30;
const day = 86_400_000;

/** Advice by the error code of Node or OpenSSL; the first match wins. */
const connectionAdvice: readonly (readonly [codes: RegExp, whose: Blame, change: string])[] = [
  [
    /UNABLE_TO|SELF_SIGNED|ISSUER|CERT_UNTRUSTED|CERT_SIGNATURE/,
    'configuration',
    'name the authority of its certificate under "tls: { ca }"',
  ],
  [/ALTNAME/, 'carrier', 'its certificate is for another name: is the URL right?'],
  [/EXPIRED|NOT_YET_VALID/, 'carrier', 'the carrier has to renew its certificate'],
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA/,
    'configuration',
    'it asks for a certificate of ours: "tls: { cert, key }"',
  ],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'configuration', 'see "tls: { min_version }"'],
  [/WRONG_VERSION|EPROTO/, 'configuration', 'is it https that is spoken there?'],
  [/ENOTFOUND|EAI_AGAIN/, 'configuration', 'is the host spelt right?'],
];

function adviceOnCode(code: string): Advice {
  const row = connectionAdvice.find(([codes]) => codes.test(code));
  if (row === undefined)
    return { whose: 'network', change: 'is there a firewall or a "proxy" between, and is the carrier up?' };
  const [, whose, change] = row;
  return { whose, change };
}

export function originNote(about: string, facts: OriginFacts, now: number): ProbeNote {
  if (facts.kind === 'failed') {
    const description = `not reached: ${facts.code} (${facts.detail})`;
    return problemNote(about, { description, ...adviceOnCode(facts.code) });
  }
  if (facts.kind === 'plain') return okNote(about, 'reached, without TLS');
  const left = Math.floor((facts.validTo - now) / day);
  const description = `${facts.version}, ${facts.cipher}, certificate of ${facts.subject} by ${facts.issuer}, ${left} days left`;
  if (left >= expiryWarningDays) return okNote(about, description);
  return warningNote(about, { whose: 'carrier', description, change: 'the carrier has to renew its certificate' });
}

/** Sends a request through the proxy, which hides the connection to the origin: any response counts. */
async function askOrigin(origin: string, about: string, sender: Sender): Promise<ProbeNote> {
  const sent = await sender.send({ method: 'GET', url: `${origin}/`, headers: [] });
  if ('response' in sent) return okNote(about, `answered through the proxy: HTTP ${sent.response.status}`);
  const description = `not reached through the proxy: ${describeNoResponse(sent.noResponse)}`;
  return problemNote(about, { whose: 'network', description, change: 'is "proxy" right, and does it let us through?' });
}

interface EndpointsAsking {
  readonly sender: Sender;
  readonly now: () => number;
  /** Endpoint that must exist. */
  readonly required?: string;
}

/** Connects once to each origin. A configuration may publish URLs that cannot be called. */
export async function checkEndpoints(
  { tls, proxy, requestTimeout }: Target,
  { urls, refused = {} }: Endpoints,
  { sender, now, required }: EndpointsAsking,
): Promise<readonly ProbeNote[]> {
  const notes: ProbeNote[] = [];
  if (required !== undefined && (urls[required] ?? refused[required]) === undefined) {
    const description = `neither discovery nor the file names the endpoint ${required}`;
    notes.push(problemNote(required, { description, change: 'name it under "endpoints"' }));
  }
  const origins = new Map<string, readonly string[]>();
  for (const [name, url] of Object.entries(urls)) {
    const { origin, protocol } = new URL(url);
    if (protocol === 'http:' || protocol === 'https:') origins.set(origin, [...(origins.get(origin) ?? []), name]);
    else {
      const description = `${protocol} is no scheme that can be called`;
      notes.push(
        problemNote(name, { whose: 'carrier', description, change: 'the carrier has to publish an https URL' }),
      );
    }
  }
  const looked = [...origins].map(async ([origin, names]): Promise<ProbeNote> => {
    const about = `${origin} (${names.join(', ')})`;
    if (proxy !== undefined) return askOrigin(origin, about, sender);
    return originNote(about, await probeOrigin(origin, tls, requestTimeout * 1000), now());
  });
  return [...notes, ...(await Promise.all(looked))];
}
