import { isJsonObject, type Json } from '../../lib/json.ts';
import type { Interface } from '../../model/interface.ts';
import type { Target } from '../../model/target.ts';
import { findUrlRefusal } from '../../target/origins.ts';
import { type Endpoints, type RefusedEndpoint, Unmet, type RunServices } from './case-context.ts';

/** URLs of all named endpoints, including those where nothing is sent. */
export const allEndpointUrls = ({ urls, refused = {} }: Pick<Endpoints, 'urls' | 'refused'>): Endpoints['urls'] => ({
  ...Object.fromEntries(Object.entries(refused).map(([name, { url }]) => [name, url])),
  ...urls,
});

/** `the discovery document names https://other.test for token_endpoint, which is not an origin of the target`. */
export const describeRefused = ({ member, words, why }: RefusedEndpoint): string =>
  `the discovery document names ${words} for ${member}, ${why}`;

/** Returns the URL of a carrier's endpoint. Throws Unmet if it is unknown, or nothing may be sent there. */
export function endpointUrl(name: string, { endpoints, target }: Pick<RunServices, 'endpoints' | 'target'>): string {
  const url = endpoints.urls[name];
  if (url !== undefined) return url;
  const refused = endpoints.refused?.[name];
  if (refused === undefined) throw new Unmet(`neither discovery nor the target names the endpoint ${name}`);
  const advice = refused.origin === undefined ? '' : `; add it to "origins" in ${target.file} to have it tested`;
  throw new Unmet(`${describeRefused(refused)}${advice}`);
}

/** Endpoints that a configuration names; the first member that names one wins. */
export function publishedEndpoints(
  document: Json | undefined,
  { endpoints }: Pick<Interface, 'endpoints'>,
): readonly (readonly [name: string, member: string, url: string])[] {
  if (!isJsonObject(document)) return [];
  return Object.entries(endpoints).flatMap(([name, { members }]) => {
    const member = members.find((key) => typeof document[key] === 'string');
    const url = member === undefined ? undefined : document[member];
    return member !== undefined && typeof url === 'string' && URL.canParse(url) ? [[name, member, url] as const] : [];
  });
}

/** Endpoints of a configuration where nothing is sent, by name; those that the target file sets are skipped. */
export const refusedEndpoints = (
  document: Json | undefined,
  target: Target,
  certified: Pick<Interface, 'endpoints'>,
): readonly (readonly [name: string, refused: RefusedEndpoint])[] =>
  publishedEndpoints(document, certified).flatMap(([name, member, url]) => {
    const refused = target.endpoints[name] === undefined ? findUrlRefusal(url, target) : undefined;
    return refused === undefined ? [] : [[name, { ...refused, member }] as const];
  });

/** Last line of defence: throws Unmet unless the URL has an origin of the target. */
export function requireOwnOrigin(url: string, { target }: Pick<RunServices, 'target'>): void {
  if (!URL.canParse(url)) throw new Unmet(`the URL of the request would be none`);
  const refused = findUrlRefusal(new URL(url).origin, target);
  if (refused !== undefined) throw new Unmet(`the request would go to ${refused.words}, ${refused.why}`);
}
