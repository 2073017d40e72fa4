import { check, type SubscriberContext } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 jti: denied where repeated within 5 minutes; without jti the same signed claims are the repetition. */
export const jtiNotRepeated = check('jti-not-repeated', (context: SubscriberContext) => {
  takeOnce(context, replayKey(context));
});

/** What makes two request objects the same. */
export function replayKey({ claims, jws, client }: SubscriberContext): string {
  const jti = claims['jti'];
  return JSON.stringify([client.clientId, ...(typeof jti === 'string' ? ['jti', jti] : ['claims', jws.payloadText])]);
}

export function takeOnce({ replays, now, policy }: SubscriberContext, key: string): void {
  if (!replays.takeFirst(key, now, policy.jtiWindow)) refuse('invalid_request', 'the request object was sent before');
}
