import { onceEach } from '../lib/lists.ts';
import { getDomain } from 'tldts';
import { cutAt } from '../lib/cut.ts';
import type { RefusedUrl, Target } from '../model/target.ts';

/** Members of a target file with the carrier's addresses. */
type Places = Pick<Target, 'discovery' | 'issuer' | 'endpoints' | 'origins'>;

const withoutDot = (host: string): string => host.replace(/\.$/, '');

/** The registered domain, or the host itself; the domains of hosters count as public suffixes. */
const registrableDomain = ({ hostname }: URL): string =>
  getDomain(hostname, { allowPrivateDomains: true }) ?? withoutDot(hostname);

/** UTF-16 units of an origin that a message shows. */
const longestShown = 200;

/** They are asked for with each request. */
const knownPlaces = onceEach(({ discovery, issuer, endpoints, origins = [] }: Places) => {
  const listed = new Set([...origins, ...Object.values(endpoints)].map((one) => new URL(one).origin));
  const bases = [discovery, issuer].flatMap((one) => (one === undefined ? [] : [new URL(one)]));
  return { listed, bases };
});

const schemes: ReadonlySet<string> = new Set(['http:', 'https:']);

/** An endpoint of its site may be at any port, and is not of plain http where the carrier is of https. */
const isOfSite = (url: URL, base: URL): boolean =>
  registrableDomain(url) === registrableDomain(base) && (url.protocol === 'https:' || url.protocol === base.protocol);

/** Why nothing is sent to a URL that a carrier names; undefined where its site or origin is the carrier's. */
export function refusedUrl(text: string, places: Places): RefusedUrl | undefined {
  const url = new URL(text);
  const { origin, protocol, username, password } = url;
  if (!schemes.has(protocol)) {
    return { url: text, words: `a URL of ${cutAt(protocol, longestShown)}`, why: 'which is no scheme that is called' };
  }
  const words = cutAt(origin, longestShown);
  if (username !== '' || password !== '') return { url: text, words, why: 'with a user or a password in the URL' };
  const { listed, bases } = knownPlaces(places);
  if (listed.has(origin) || bases.some((base) => isOfSite(url, base))) return undefined;
  return { url: text, words, why: 'which is not an origin of the target', origin };
}
