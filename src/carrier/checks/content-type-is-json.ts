import { check, type MessageContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.1, §4.1: application/json with any parameters; form encoding is "not currently supported". */
export const contentTypeIsJson = check('content-type-is-json', ({ contentType, policy }: MessageContext) => {
  const type = mediaType(contentType);
  if (type === 'application/json' || (policy.formAccepted && type === formType)) return;
  refuse('invalid_request', 'the content type must be application/json', 415);
});

export const formType = 'application/x-www-form-urlencoded';

export function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase();
}
