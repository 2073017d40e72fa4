import { decodeCompactJws } from '../../judge/compact-jws.ts';
import type { Delivery } from '../../model/exchange.ts';
import { isJsonObject, plainText } from '../../model/json.ts';
import type { ReceiverResponse, ScriptedResponse } from '../../model/suite.ts';
import { defaultResponse } from '../../model/target.ts';
import type { Scope } from '../../model/template.ts';
import { recordMessage } from '../../wire/record.ts';
import type { Redactor } from '../../wire/redact.ts';
import type { Parsed } from './observe-delivery.ts';

type Decoded = NonNullable<Delivery['idToken']>;

export interface Entry {
  readonly id: string;
  readonly response: ReceiverResponse;
  readonly step?: string;
}

function recordedToken({ header, claims }: Decoded, redactor: Redactor): Decoded {
  const kept = redactor.json(claims);
  return { header: redactor.json(header), claims: isJsonObject(kept) ? kept : {} };
}

/** A delivery as it goes into the result: its id token or SET decoded, secrets out. */
export function record({ id, response, step }: Entry, { inbound, text, body }: Parsed, redactor: Redactor): Delivery {
  redactor.learnMembers(body);
  const token = isJsonObject(body) ? decodeCompactJws(body['id_token'] ?? body['set']) : undefined;
  return {
    id,
    kind: 'delivery',
    ...(step === undefined ? {} : { step }),
    receivedAt: inbound.receivedAt,
    method: inbound.method,
    target: redactor.text(inbound.target),
    request: recordMessage(inbound.headers, text, redactor, inbound.bytes),
    ...(token === undefined ? {} : { idToken: recordedToken(token, redactor) }),
    answered: response.reset === true ? 'reset' : response.status,
  };
}

/** The next scripted response of a case; the last one repeats. */
export function responseFrom(script: readonly ScriptedResponse[], given: number, scope: Scope): ReceiverResponse {
  const scripted = script[Math.min(given, script.length - 1)];
  if (scripted === undefined) return defaultResponse;
  const { headers, ...rest } = scripted;
  if (headers === undefined) return rest;
  return {
    ...rest,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, plainText(value.evaluate(scope))])),
  };
}
