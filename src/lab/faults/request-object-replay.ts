import { setTimeout as sleep } from 'node:timers/promises';
import { jtiNotRepeated, replayKey, takeOnce } from '../../carrier/checks/subscriber.ts';
import { type JsonObject, stringMember } from '../../carrier/json.ts';
import { check, type ClientContext, reader, type SubscriberContext } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import { combineEdits, defineFaults, type Edit, type Fault, faultTable, lookupGap } from '../edit/fault-table.ts';
import { dropChecks, replaceSubscriberCheck, withPipeline, withPolicy } from '../../carrier/seams/definition-parts.ts';
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
    ],
    'jti-hexadecimal-only': [
      'A jti must be a UUID or another hexadecimal number.',
      'REQ-014',
      addRefusal('jti-is-hexadecimal', ({ claims: { jti } }) => typeof jti === 'string' && !/^[0-9a-f-]+$/.test(jti)),
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
    ],
    'jti-trimmed': [
      'Blanks around a jti are read over (C2.6).',
      'REQ-015',
      keyJtiBy((jti, { client }) => [client.clientId, jti.trim()]),
    ],
    'jti-last-two-only': [
      'Of each SP the last two jti of a user are kept (C2.6).',
      'REQ-015',
      replaceSubscriberCheck('jti-not-repeated', keepLastTwo()),
      { stateful: true },
    ],
    'jti-freed-by-its-repetition': [
      'The entry of a jti is taken out when two other objects with it have been refused (C2.6).',
      'REQ-015',
      replaceSubscriberCheck('jti-not-repeated', freeJtiAgain()),
      { stateful: true },
    ],
    'jti-kept-too-late': [
      'A jti is looked up, and kept only when the request has been worked on, so several at once pass (C2.6).',
      'REQ-015',
      combineEdits(dropChecks('jti-not-repeated'), keepJtiTooLate()),
      {
        stateful: true,
        except: { 'waiting-pushes/one-then-400': 'of several at once all but one are refused, because one waits' },
      },
    ],
    'exp-counted-from-iat': [
      'exp may be 5 minutes after iat, and not 5 minutes ahead.',
      'REQ-009 REQ-012',
      addRefusal('exp-soon-after-iat', ({ claims }) => Number(claims['exp']) - Number(claims['iat']) > 300),
    ],
  }),
  ...faultTable(withPolicy, {
    'iat-window-299-seconds': ['A request object may be 299 seconds old only (C2.18).', 'REQ-009', { iatMaxAge: 299 }],
    'iat-window-301-seconds': ['A request object may be 301 seconds old (C2.18).', 'REQ-009', { iatMaxAge: 301 }],
    'iat-window-325-seconds': ['A request object may be 325 seconds old (C2.18).', 'REQ-009', { iatMaxAge: 325 }],
    'exp-window-299-seconds': ['exp may be 299 seconds ahead only (C2.18).', 'REQ-012', { expMaxAhead: 299 }],
    'exp-window-301-seconds': ['exp may be 301 seconds ahead (C2.18).', 'REQ-012', { expMaxAhead: 301 }],
    'exp-window-325-seconds': ['exp may be 325 seconds ahead (C2.18).', 'REQ-012', { expMaxAhead: 325 }],
    'exp-a-second-early': [
      'A request object is out of date a second before its exp (C2.18).',
      'REQ-012',
      { expLeeway: -1 },
    ],
    'jti-kept-298-seconds': ['A jti is forgotten after 298 seconds (C2.18).', 'REQ-015', { jtiWindow: 298 }],
    'jti-kept-275-seconds': ['A jti is forgotten after 275 seconds (C2.18).', 'REQ-015', { jtiWindow: 275 }],
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

function keepLastTwo(): CheckRun {
  const kept = new Map<string, readonly string[]>();
  return (context) => {
    const { claims, client, subscriber } = context;
    const jti = stringMember(claims, 'jti');
    if (jti === undefined) {
      jtiNotRepeated.run(context);
      return;
    }
    const who = `${client.clientId} ${subscriber.phone}`;
    const known = kept.get(who) ?? [];
    if (known.includes(jti)) refuse('invalid_request', 'the request object was sent before');
    kept.set(who, [...known, jti].slice(-2));
  };
}

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

/** Looks the jti up before the key is known, and keeps it only at the end; the same object is still recognized. */
function keepJtiTooLate(): Edit {
  const kept = new Map<string, number>();
  const late = new WeakSet<JsonObject>();
  const keyOf = ({ client, claims, jws }: ClientContext): string =>
    JSON.stringify([client.clientId, stringMember(claims, 'jti') ?? jws.payloadText]);
  return withPipeline(({ readKey, onSubscriber }) => ({
    readKey: reader(readKey.name, async (context: ClientContext) => {
      const before = kept.get(keyOf(context));
      if (before !== undefined && context.now - before <= context.policy.jtiWindow * 1000) late.add(context.claims);
      await sleep(lookupGap);
      return readKey.read(context);
    }),
    onSubscriber: [
      ...onSubscriber,
      check('jti-kept-at-the-end', (context: SubscriberContext) => {
        if (late.has(context.claims)) refuse('invalid_request', 'the request object was sent before');
        takeOnce(context, JSON.stringify([context.client.clientId, 'object', context.jws.payloadText]));
        kept.set(keyOf(context), context.now);
      }),
    ],
  }));
}
