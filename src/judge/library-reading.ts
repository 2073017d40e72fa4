import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Json, JsonObject } from '../lib/json.ts';
import { memoizeByObject } from '../lib/lists.ts';
import { truncateText } from '../lib/truncation.ts';
import { decodeCompactJws } from './compact-jws.ts';

/** Why a library that service providers use refuses a token (P23). */
export interface LibraryRefusal {
  /** The library's own sentence, and what is wrong with the key that kid names. */
  readonly reason: string;
  /** The library cannot use the algorithm or the key, which no standard forbids. */
  readonly isLibraryLimit: boolean;
}

const maxReason = 200;

/** Seconds of clock difference that service providers allow. */
const clockTolerance = 300;

interface KeyResolvers {
  readonly set: JWTVerifyGetKey;
  readonly single: readonly JWTVerifyGetKey[];
}

// The keys are a carrier's: jose says itself whether they are a JWK set.
const resolveFrom = (keys: readonly JsonObject[]): JWTVerifyGetKey =>
  createLocalJWKSet({ keys } as unknown as JSONWebKeySet);

const keyResolvers = memoizeByObject(
  (keys: readonly JsonObject[]): KeyResolvers => ({
    set: resolveFrom(keys),
    single: keys.map((key) => resolveFrom([key])),
  }),
);

/** Says why a library cannot use the key that kid names. */
function describeKey(kid: Json | undefined, alg: Json | undefined, keys: readonly JsonObject[]): string | undefined {
  if (kid === undefined) return undefined;
  if (typeof kid !== 'string') return `kid ${JSON.stringify(kid)} is no string`;
  const key = keys.find((one) => one['kid'] === kid);
  if (key === undefined) return `no key that was published then has kid ${JSON.stringify(kid)}`;
  const { use = 'sig', alg: keyAlg = alg, key_ops: uses } = key;
  if (use !== 'sig') return `the key of its kid has use ${JSON.stringify(use)}`;
  if (keyAlg !== alg) return `the key of its kid has alg ${JSON.stringify(keyAlg)}`;
  return uses === undefined ? undefined : `the key of its kid has key_ops ${JSON.stringify(uses)}`;
}

/** Returns the error of a verification, or undefined. */
async function refusalBy(jws: string, resolver: JWTVerifyGetKey, now: number): Promise<unknown> {
  try {
    await jwtVerify(jws, resolver, { currentDate: new Date(now * 1000), clockTolerance });
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Verifies a compact JWT as a service provider does, with jose, by the JWK set as it was read; undefined if jose takes it.
 * `cameAt` is in seconds since the epoch. Each of several keys that have its kid is tried; without a kid,
 * several keys that fit are a refusal.
 */
export async function readAsLibrary(
  jws: string,
  keys: readonly JsonObject[],
  cameAt: number,
): Promise<LibraryRefusal | undefined> {
  const { header: { alg, kid, crit } = {}, claims: { iat } = {} } = decodeCompactJws(jws) ?? {};
  // A delivery may be repeated, so times are held against the token's own; whether it was issued in time is judged elsewhere.
  const now = typeof iat === 'number' ? Math.min(iat, cameAt) : cameAt;
  const { set, single } = keyResolvers(keys);
  const refused = await refusalBy(jws, set, now);
  if (refused === undefined) return undefined;
  if (refused instanceof errors.JWKSMultipleMatchingKeys && typeof kid === 'string') {
    for (const resolver of single) if ((await refusalBy(jws, resolver, now)) === undefined) return undefined;
  }
  const isUnknown = refused instanceof errors.JOSENotSupported && crit === undefined;
  const isLibraryLimit = isUnknown || !(refused instanceof errors.JOSEError);
  return { reason: truncateText(explainRefusal(refused, describeKey(kid, alg, keys)), maxReason), isLibraryLimit };
}

function explainRefusal(refused: unknown, key: string | undefined): string {
  const sentence = refused instanceof Error ? refused.message : 'it cannot be read';
  const isOfKey = refused instanceof errors.JWKSNoMatchingKey || !(refused instanceof errors.JOSEError);
  return isOfKey && key !== undefined ? `${sentence}: ${key}` : sentence;
}
