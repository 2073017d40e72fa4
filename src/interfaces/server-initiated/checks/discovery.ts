import { comparisonCase, defineSequenceCheck, type NamedCheck } from '../../../judge/check.ts';
import type { ResponseObservation } from '../../../judge/observation.ts';
import { isJsonObject, isList, type Json, readMember, readTextMember } from '../../../lib/json.ts';
import { discovery, endpoints } from '../endpoints.ts';
import { defineResponseCheck, findResponse } from './define-check.ts';

const cancelMembers = [...endpoints.cancel.members, 'cancel_endpoint'];

/** Normal form of a URL, without a slash at its end; undefined if it is no URL. */
function normalizeUrl(value: Json | undefined): string | undefined {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value).href.replace(/\/$/, '') : undefined;
}

const isUrlMember = (name: string): boolean => name === 'issuer' || /_(?:endpoint|uri)$/.test(name);

/** Requested code, and the issuer of the configuration; undefined if there is no configuration. */
function readCarrierConfiguration({ url, outcome, body }: ResponseObservation) {
  if (outcome !== 'accepted' || !URL.canParse(url)) return undefined;
  const { pathname, searchParams } = new URL(url);
  const mccmnc = searchParams.get('mccmnc');
  const issuer = readTextMember(body, 'issuer');
  if (!pathname.endsWith(discovery.path) || mccmnc === null || issuer === undefined) return undefined;
  return { mccmnc, issuer };
}

/** Checks of the OpenID configuration and the endpoints it names (§2.9, §4.4, §4.5, §4.7). */
export const discoveryChecks: readonly NamedCheck[] = [
  /** §4.5: a configuration that names a carrier code names the one that was asked for. */
  defineResponseCheck('configuration-is-of-the-asked-code', ({ url, outcome, body }) => {
    if (outcome !== 'accepted' || !URL.canParse(url)) return [];
    const asked = new URL(url).searchParams.get('mccmnc') ?? '';
    const actual = readMember(body, 'mccmnc') ?? null;
    // A value that is no code names no carrier, and may bring the only configuration there is (C1.19).
    if (!/^\d{5,6}$/.test(asked) || actual === null) return [];
    // Public documents have it as a number too, which loses leading zeros.
    const isAsked = (code: Json): boolean => (typeof code === 'number' ? code === Number(asked) : code === asked);
    // A carrier of several codes may name them all (C1.19).
    return (isList(actual) ? actual.some(isAsked) : isAsked(actual))
      ? []
      : [{ path: 'body.mccmnc', expected: asked, actual }];
  }),

  /** §1.8, §4.5: mccmnc names the carrier; one code has one issuer. A carrier may have several codes (C1.19). */
  defineSequenceCheck('one-carrier-for-one-code', () => {
    const issuers = new Map<string, { readonly issuer: string; readonly seenIn: string }>();
    return (message) => {
      const response = findResponse(message);
      const found = response === undefined ? undefined : readCarrierConfiguration(response);
      if (found === undefined) return undefined;
      const { mccmnc, issuer } = found;
      const before = issuers.get(mccmnc) ?? { issuer, seenIn: message.seenIn };
      issuers.set(mccmnc, before);
      if (before.issuer === issuer) return [];
      const expected = `${before.issuer}, as every response for ${mccmnc}`;
      return [{ path: 'body.issuer', expected, actual: issuer, ...comparisonCase(before, message) }];
    };
  }),

  /** §4.4: a separate endpoint; public configurations have the key cancel_endpoint. */
  defineResponseCheck('cancel-endpoint-separate', ({ body }) => {
    const key = cancelMembers.find((name) => readMember(body, name) !== undefined);
    if (key === undefined) {
      return [{ aspect: 'published', path: 'body', expected: `one of ${cancelMembers.join(', ')}`, actual: null }];
    }
    const actual = readMember(body, key);
    const address = normalizeUrl(actual);
    const path = `body.${key}`;
    if (address === undefined) return [{ path, expected: 'an absolute URL', actual: actual ?? null }];
    const same = endpoints.server_initiated.members.find((name) => normalizeUrl(readMember(body, name)) === address);
    return same === undefined ? [] : [{ path, expected: `another URL than ${same}`, actual: address }];
  }),

  /** §4.7: each carrier publishes a usertraits endpoint in its OpenID configuration; the interface names no key. */
  defineResponseCheck('usertrait-endpoint-published', ({ body }) => {
    const { members } = endpoints.usertrait;
    const named = members.flatMap((key) => {
      const address = readMember(body, key);
      return address === undefined ? [] : [[key, address] as const];
    });
    if (named.some(([, address]) => typeof address === 'string' && URL.canParse(address))) return [];
    const actual = named.length === 0 ? null : Object.fromEntries(named);
    return [{ path: 'body', expected: `a URL under one of ${members.join(', ')}`, actual }];
  }),

  /** Each endpoint is on the carrier's site, or at an origin in the target file; the exchange names the others. */
  defineResponseCheck('endpoints-at-origins-of-the-target', ({ elsewhere = [] }) =>
    elsewhere.map(({ member, words, why }) => ({
      path: `body.${member}`,
      expected: 'a URL on the site of the discovery issuer, or at an origin that the target file lists',
      actual: `${words}, ${why}`,
    })),
  ),

  /** OIDC Discovery §3: the issuer and every endpoint of the configuration have the scheme https. */
  defineResponseCheck('published-urls-are-https', ({ body }) =>
    Object.entries(isJsonObject(body) ? body : {})
      .filter(([name, value]) => isUrlMember(name) && !(typeof value === 'string' && /^https:\/\//i.test(value)))
      .map(([name, value]) => ({ path: `body.${name}`, expected: 'an https URL', actual: value })),
  ),
];
