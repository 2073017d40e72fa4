import { isJsonObject, type Json, type JsonObject, memberOf } from '../../lib/json.ts';
import { decodeCompactJws, verifiesAny } from '../../judge/compact-jws.ts';
import { readResponse } from '../context/read-response.ts';
import type { Sender } from '../../wire/send/send.ts';

/** The keys that the carrier publishes, read when something has to be told from what it did not sign. */
export interface CarrierKeys {
  readonly signed: (jws: Json | undefined) => Promise<boolean>;
}

/** Milliseconds of wall time for which keys that were read hold: strangers cause no more requests than that. */
const keysLast = 30_000;
const mostKeys = 32;

/** None where they cannot be read: then nothing is shown to be signed by them. */
async function readKeys(url: string, sender: Sender): Promise<readonly JsonObject[]> {
  try {
    const sent = await sender.send({ method: 'GET', url, headers: [['accept', 'application/json']] });
    const keys = 'response' in sent ? memberOf(readResponse(sent.response).body, 'keys') : undefined;
    return Array.isArray(keys) ? keys.filter(isJsonObject).slice(0, mostKeys) : [];
  } catch {
    // The carrier's URL is none, or the run is over.
    return [];
  }
}

export function createCarrierKeys(sender: Sender, urls: readonly string[]): CarrierKeys {
  let reading: { readonly at: number; readonly keys: Promise<readonly JsonObject[]> } | undefined;
  const current = (): Promise<readonly JsonObject[]> => {
    const now = performance.now();
    if (reading === undefined || now - reading.at > keysLast) {
      const keys = Promise.all(urls.map((url) => readKeys(url, sender))).then((sets) => sets.flat());
      reading = { at: now, keys };
    }
    return reading.keys;
  };
  return {
    signed: async (jws) => {
      if (typeof jws !== 'string' || decodeCompactJws(jws) === undefined) return false;
      return verifiesAny(jws, await current());
    },
  };
}
