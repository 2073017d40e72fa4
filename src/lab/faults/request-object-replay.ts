import { jtiNotRepeated, replayKey, takeOnce } from '../../carrier/checks/subscriber.ts';
import { stringMember } from '../../carrier/json.ts';
import { check, type ClientContext, type SubscriberContext } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import { defineFaults, type Edit, type Fault, faultTable } from '../edit/fault-table.ts';
import { replaceSubscriberCheck, withPipeline, withPolicy } from '../../carrier/seams/definition-parts.ts';
import { addRefusal } from '../edit/requests.ts';

/** Faults of the jti memory, and of the edges of the time windows: §2.3, §5.1, §8. */
export const requestObjectReplayFaults: readonly Fault[] = [
  ...defineFaults({
    'jti-burned-by-bad-signature': [
      'A jti is noted before the signature is verified, so anyone can use up the jti of an SP (C2.6).',
      'REQ-015',
      withPipeline(({ onClient }) => ({
        onClient: [
          ...onClient,
          check('jti-noted-early', ({ claims, client, replays, now, policy }: ClientContext) => {
            const jti = stringMember(claims, 'jti');
            if (jti === undefined) return;
            if (!replays.takeFirst(JSON.stringify(['early', client.clientId, jti]), now, policy.jtiWindow)) {
              refuse('invalid_request', 'jti was used');
            }
          }),
        ],
      })),
      { stateful: true },
    ],
    'jti-shared-by-all-clients': [
      'The jti that one SP has used is taken for used by all others (C2.6).',
      'REQ-015',
      keyJtiBy((jti) => ['all', jti]),
    ],
    'jti-kept-by-key': [
      'A jti is kept with the key that signed it, so another key of the SP may use it once more (C2.6).',
      'REQ-015',
      keyJtiBy((jti, { client, key }) => [client.clientId, key.kid, jti]),
      { keeps: 'src/lab/faults/faults.test.ts runs with it' },
    ],
    'jti-in-any-case': [
      'A jti is kept in a column that is compared without case (C2.6).',
      'REQ-015',
      keyJtiBy((jti, { client }) => [client.clientId, jti.toLowerCase()]),
    ],
    'jti-truncated': [
      'A jti is kept in a column of 32 characters (C2.6).',
      'REQ-015',
      keyJtiBy((jti, { client }) => [client.clientId, jti.slice(0, 32)]),
      { keeps: 'another fault shows the same, and carriers have either' },
    ],
    'jti-freed-by-its-repetition': [
      'The entry of a jti is taken out when two other objects with it have been refused (C2.6).',
      'REQ-015',
      replaceSubscriberCheck('jti-not-repeated', freeJtiAgain()),
      { keeps: 'src/cli/send/from-case.test.ts runs with it', stateful: true },
    ],
    'exp-counted-from-iat': [
      'exp may be 5 minutes after iat, and not 5 minutes ahead.',
      'REQ-009 REQ-012',
      addRefusal('exp-soon-after-iat', ({ claims }) => Number(claims['exp']) - Number(claims['iat']) > 300),
      { keeps: 'no other counts exp from iat' },
    ],
  }),
  ...faultTable(withPolicy, {
    'exp-a-second-early': [
      'A request object is out of date a second before its exp (C2.18).',
      'REQ-012',
      { expLeeway: -1 },
      { keeps: 'it is too early by a second only' },
    ],
  }),
];

/** Keeps a jti under another key; keeps an object without jti as before. */
function keyJtiBy(keyOf: (jti: string, context: SubscriberContext) => readonly string[]): Edit {
  return replaceSubscriberCheck('jti-not-repeated', (context) => {
    const jti = stringMember(context.claims, 'jti');
    if (jti === undefined) jtiNotRepeated.run(context);
    else takeOnce(context, JSON.stringify(keyOf(jti, context)));
  });
}

type CheckRun = (context: SubscriberContext) => void;

function freeJtiAgain(): CheckRun {
  const refused = new Map<string, number>();
  const firsts = new Map<string, string>();
  return (context) => {
    const key = replayKey(context);
    const { payloadText } = context.jws;
    if (refused.get(key) === 2 && firsts.get(key) !== payloadText) {
      refused.delete(key);
      return;
    }
    try {
      jtiNotRepeated.run(context);
      firsts.set(key, payloadText);
    } catch (error) {
      if (firsts.get(key) !== payloadText) refused.set(key, (refused.get(key) ?? 0) + 1);
      throw error;
    }
  };
}
