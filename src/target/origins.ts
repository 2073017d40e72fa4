import { memoizeByObject } from '../lib/lists.ts';
import { getDomain } from 'tldts';
import { truncateText } from '../lib/truncation.ts';
import type { RefusedUrl, Target } from '../model/target.ts';

/** Members of a target file with the carrier's addresses. */
type CarrierAddresses = Pick<Target, 'discovery' | 'issuer' | 'endpoints' | 'origins'>;

const trimRootDot = (host: string): string => host.replace(/\.$/, '');

/** Registrable domain, or the host itself. Domains of hosting providers count as public suffixes. */
const registrableDomain = ({ hostname }: URL): string =>
  getDomain(hostname, { allowPrivateDomains: true }) ?? trimRootDot(hostname);

/** Maximum length of an origin in a message, in UTF-16 units. */
const maxShownOrigin = 200;

/** Memoized, because every request needs them. */
const carrierOrigins = memoizeByObject(({ discovery, issuer, endpoints, origins = [] }: CarrierAddresses) => {
  const listed = new Set([...origins, ...Object.values(endpoints)].map((one) => new URL(one).origin));
  const bases = [discovery, issuer].flatMap((one) => (one === undefined ? [] : [new URL(one)]));
  return { listed, bases };
});

const callableSchemes: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Whether a URL is on the carrier's site. Any port is allowed; plain http only if the carrier uses it. */
const isSameSite = (url: URL, base: URL): boolean =>
  registrableDomain(url) === registrableDomain(base) && (url.protocol === 'https:' || url.protocol === base.protocol);

/** Explains why the run sends nothing to a URL that a carrier names; undefined if its site or origin is the carrier's. */
export function findUrlRefusal(text: string, places: CarrierAddresses): RefusedUrl | undefined {
  const url = new URL(text);
  const { origin, protocol, username, password } = url;
  if (!callableSchemes.has(protocol)) {
    return {
      url: text,
      words: `a URL of ${truncateText(protocol, maxShownOrigin)}`,
      why: 'which is no scheme that is called',
    };
  }
  const words = truncateText(origin, maxShownOrigin);
  if (username !== '' || password !== '') return { url: text, words, why: 'with a user or a password in the URL' };
  const { listed, bases } = carrierOrigins(places);
  if (listed.has(origin) || bases.some((base) => isSameSite(url, base))) return undefined;
  return { url: text, words, why: 'which is not an origin of the target', origin };
}
