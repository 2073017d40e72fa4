import type { Json } from '../../lib/json.ts';
import { usageError } from '../shared/inputs.ts';

/** The parameters by which an SP signs a call (RFC 7523 §2.2), of a step `assertion` before it. */
export const signedByAssertion: Readonly<Record<string, Json>> = {
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: '{{ assertion.jws }}',
};

/** Throws where a parameter that is to be left out is not there. */
export function withoutDropped(
  parameters: Readonly<Record<string, Json>>,
  dropped: readonly string[],
): Record<string, Json> {
  const unknown = dropped.find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined) {
    throw usageError(`--drop: there is no ${unknown} to leave out; there are ${Object.keys(parameters).join(', ')}`);
  }
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !dropped.includes(name)));
}
