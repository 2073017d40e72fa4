import { formType, mediaType, readForm } from '../http/request.ts';
import { strictObjectOr } from '../jose/strict-json.ts';
import type { JsonObject } from '../json.ts';
import type { BodyContext, MessageContext } from '../pipeline/context.ts';
import { check, reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';

/** §2.1, §4.1: application/json with any parameters; form encoding is "not currently supported". */
export const contentTypeIsJson = check('content-type-is-json', ({ contentType, policy }: MessageContext) => {
  const type = mediaType(contentType);
  if (type === 'application/json' || (policy.formAccepted && type === formType)) return;
  refuse('invalid_request', 'the content type must be application/json', 415);
});

/** §4.1: the payload is a JSON object; no BOM, no duplicate members (RFC 8259 §4 leaves their meaning open). */
export const bodyIsOneJsonObject = reader('body-is-one-json-object', (context: MessageContext): BodyContext => {
  const isForm = mediaType(context.contentType) === formType;
  return { ...context, outside: isForm ? readForm(context.bytes) : readDescribed(context.bytes) };
});

function readDescribed(bytes: Uint8Array): JsonObject {
  return strictObjectOr(bytes, ({ message }) =>
    refuse('invalid_request', `the body must be one JSON object: ${message}`),
  ).value;
}
