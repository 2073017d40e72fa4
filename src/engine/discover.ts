import { nestsTooDeep, maxJsonDepth, isJsonObject, type Json, type JsonObject, omitUndefined } from '../lib/json.ts';
import type { NoResponse } from '../model/exchange.ts';
import type { Discovery, Interface } from '../model/interface.ts';
import { CarrierspecError } from '../model/problem.ts';
import { isSigningAlg, type SigningAlg } from '../model/signing.ts';
import type { Target } from '../model/target.ts';
import { maxBodyBytes } from '../wire/read/collect-body.ts';
import { createRedactor } from '../wire/record/redactor.ts';
import type { Sender } from '../wire/send/sender.ts';
import type { SendResult } from '../wire/send/send-result.ts';
import { readDate, type SkewOfOrigins } from '../wire/send/skew.ts';
import type { Endpoints } from './context/case-context.ts';
import { publishedEndpoints, refusedEndpoints } from './context/endpoints.ts';
import { readResponse } from './context/read-response.ts';

function discoveryUrl({ discovery, clients, mccmnc }: Target, { path, query }: Discovery): string | undefined {
  if (discovery === undefined) return undefined;
  const url = new URL(`${discovery.replace(/\/$/, '')}${path}`);
  const asked = query({ mccmnc, ...omitUndefined({ clientId: clients[0]?.clientId }) });
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url.href;
}

/** The carrier did not answer, or published no configuration. */
export class DiscoveryError extends CarrierspecError {
  /** Reason of a missing response, or the HTTP status of one without a configuration. */
  readonly sign: NoResponse | number;

  constructor(message: string, sign: NoResponse | number) {
    super(redactByForm(message), { code: 'carrier-unreachable' });
    this.sign = sign;
  }
}

export interface DiscoveryServices {
  readonly sender: Sender;
  readonly skew: SkewOfOrigins;
  readonly now: () => number;
  readonly interface: Pick<Interface, 'discovery' | 'endpoints'> & { readonly requestEndpoint: string };
}

/** Longest excerpt of a body in a message, in UTF-16 units. */
const maxExcerpt = 200;

function describeBody(text: string, body: Json | undefined, bytes: number): string {
  if (bytes > maxBodyBytes) return `${bytes} bytes, and carrierspec reads ${maxBodyBytes} at most`;
  if (text === '') return 'no body';
  const start = text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)}…` : text;
  if (body !== undefined) return start;
  return nestsTooDeep(text) ? `JSON nested more than ${maxJsonDepth} levels deep: ${start}` : `no JSON: ${start}`;
}

/** Fetches a document, and compares the sender's clock by its Date header. */
async function sendGet(url: string, { sender, skew, now }: DiscoveryServices): Promise<SendResult> {
  const sentAt = now();
  const sent = await sender.send({ method: 'GET', url, headers: [] });
  if ('response' in sent) skew.observe(url, readDate(sent.response.headers), sentAt, now());
  return sent;
}

/** Redacts by form alone: no secret is known before the first case. */
const redactByForm = (message: string): string => createRedactor().text(message);

/** Most requests sent only for a Date header: a clock that is off is believed when several responses agree. */
const maxClockRequests = 3;

/** Reads the clock of the host that takes the requests, which may differ from the host of the configuration. Sends no credential. */
async function readClock(url: string, { clock }: Target, { skew, ...asking }: DiscoveryServices): Promise<void> {
  if (clock !== undefined || !/^https?:/.test(url)) return;
  for (let asked = 0; asked < maxClockRequests && skew.current() === undefined; asked += 1) {
    if ('noResponse' in (await sendGet(url, { skew, ...asking })) || skew.doubt() === undefined) return;
  }
}

async function fetchConfiguration(url: string, target: Target, asking: DiscoveryServices): Promise<JsonObject> {
  const sent = await sendGet(url, asking);
  if ('noResponse' in sent) {
    const { reason, detail } = sent.noResponse;
    if (reason === 'protocol') throw new DiscoveryError(`the response at ${url} cannot be read: ${detail}`, reason);
    // The host alone: the URL may contain the proxy's password.
    const way = target.proxy === undefined ? '' : `, through the proxy ${new URL(target.proxy).host}`;
    throw new DiscoveryError(`the carrier did not answer at ${url}${way}: ${reason} (${detail})`, reason);
  }
  const { text, body } = readResponse(sent.response);
  if (sent.response.status !== 200 || !isJsonObject(body) || !asking.interface.discovery.isConfiguration(body)) {
    const { status, bytes } = sent.response;
    const received = `HTTP ${status}, ${describeBody(text, body, bytes)}`;
    throw new DiscoveryError(`discovery at ${url} gave no OpenID configuration: ${received}`, status);
  }
  return body;
}

/** Adds each endpoint that falls back to another one's URL (`elseAs`) and has none of its own. */
function addFallbackEndpoints<T>(
  found: Readonly<Record<string, T>>,
  { endpoints }: DiscoveryServices['interface'],
): Record<string, T> {
  const shared = Object.entries(endpoints).flatMap(([name, { elseAs = '' }]) => {
    const one = found[name] ?? found[elseAs];
    return one === undefined ? [] : [[name, one] as const];
  });
  return { ...found, ...Object.fromEntries(shared) };
}

function splitEndpoints(document: JsonObject, target: Target, certified: DiscoveryServices['interface']) {
  const refused = Object.fromEntries(refusedEndpoints(document, target, certified));
  const named = publishedEndpoints(document, certified).filter(([name]) => refused[name] === undefined);
  return { refused, urls: Object.fromEntries(named.map(([name, , url]) => [name, url])) };
}

/** Signing algorithms that these members of a configuration list for SPs; empty without any. */
export function listedAlgorithms(
  configuration: JsonObject | undefined,
  members: readonly string[],
): readonly SigningAlg[] {
  const all = members.flatMap((member) => {
    const list: readonly unknown[] = Array.isArray(configuration?.[member]) ? configuration[member] : [];
    return list.filter((one) => typeof one === 'string');
  });
  return [...new Set(all.filter(isSigningAlg))];
}

/** Endpoints, and the OpenID configuration if one was fetched. */
export interface DiscoveryOutcome extends Endpoints {
  readonly configuration?: JsonObject;
}

/** Finds issuer and endpoints like `discover`, but reads no clock. */
export async function fetchEndpoints(target: Target, asking: DiscoveryServices): Promise<DiscoveryOutcome> {
  const url = discoveryUrl(target, asking.interface.discovery);
  if (url === undefined) {
    return { issuer: target.issuer ?? '', urls: addFallbackEndpoints(target.endpoints, asking.interface) };
  }
  const configuration = await fetchConfiguration(url, target, asking);
  const { urls: found, refused } = splitEndpoints(configuration, target, asking.interface);
  const urls = addFallbackEndpoints({ ...found, discovery: url, ...target.endpoints }, asking.interface);
  const shared = Object.entries(addFallbackEndpoints(refused, asking.interface)).filter(
    ([name]) => urls[name] === undefined,
  );
  // A case reports a configuration without an issuer: the run continues with the discovery address.
  const { issuer: published } = configuration;
  const issuer = typeof published === 'string' ? published : (target.discovery?.replace(/\/$/, '') ?? '');
  return { issuer: target.issuer ?? issuer, urls, refused: Object.fromEntries(shared), configuration };
}

/** Finds issuer and endpoints, from the target file or discovery. Throws DiscoveryError. */
export async function discover(target: Target, asking: DiscoveryServices): Promise<DiscoveryOutcome> {
  const found = await fetchEndpoints(target, asking);
  const url = found.urls[asking.interface.requestEndpoint];
  if (url === undefined) return found;
  asking.skew.follow(url);
  if (found.configuration !== undefined) await readClock(url, target, asking);
  return found;
}
