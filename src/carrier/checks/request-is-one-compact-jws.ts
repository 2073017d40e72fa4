import { type BodyContext, type ObjectContext, reader } from '../pipeline/context.ts';
import { stringMember } from '../json.ts';
import { parseCompactJws } from '../jose/jws.ts';
import { refuse } from '../refusal.ts';
import { parseStrictObject, StrictJsonError, type StrictObject } from '../jose/strict-json.ts';

/** §2.1 request: one compact JWS whose header and claims are JSON objects without duplicate names (RFC 7519 §4). */
export const requestIsOneCompactJws = reader('request-is-one-compact-jws', (context: BodyContext): ObjectContext => {
  const request = stringMember(context.outside, 'request');
  if (request === undefined || request === '') refuse('invalid_request', 'request is required and must be a string');
  const jws = parseCompactJws(request);
  if (jws === undefined) refuse('invalid_request_object', 'request must be one compact JWS');
  const header = readSegment(jws.header, 'header').value;
  const { value: claims, texts } = readSegment(jws.payload, 'claims');
  return { ...context, jws, header, claims, texts };
});

function readSegment(bytes: Uint8Array, name: string): StrictObject {
  try {
    return parseStrictObject(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refuse(
      'invalid_request_object',
      `the ${name} of the request object must be a JSON object: ${error.message}`,
    );
  }
}
