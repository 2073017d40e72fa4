import { type BodyContext, type MessageContext, reader } from '../pipeline/context.ts';
import type { JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import { parseStrictObject, StrictJsonError } from '../jose/strict-json.ts';
import { formType, mediaType } from './content-type-is-json.ts';

/** §4.1: the payload is a JSON object; no BOM, no duplicate members (RFC 8259 §4 leaves their meaning open). */
export const bodyIsOneJsonObject = reader('body-is-one-json-object', (context: MessageContext): BodyContext => {
  const isForm = mediaType(context.contentType) === formType;
  return { ...context, outside: isForm ? readForm(context.bytes) : readJson(context.bytes) };
});

function readJson(bytes: Uint8Array): JsonObject {
  try {
    return parseStrictObject(bytes).value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refuse('invalid_request', `the body must be one JSON object: ${error.message}`);
  }
}

function readForm(bytes: Uint8Array): JsonObject {
  const pairs = [...new URLSearchParams(Buffer.from(bytes).toString('utf8'))];
  const members = Object.fromEntries(pairs);
  if (Object.keys(members).length < pairs.length) refuse('invalid_request', 'a parameter is given twice');
  return members;
}
