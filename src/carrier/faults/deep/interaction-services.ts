import { proofSignsTheRequest } from '../../checks/proof.ts';
import { subscriberHasTheApp } from '../../checks/subscriber.ts';
import { asText, stringMember, words } from '../../json.ts';
import { type HintTokenContext, hasClaim, type KeyContext, seconds } from '../../pipeline/context.ts';
import { reader } from '../../pipeline/step.ts';
import { refuse } from '../../refusal.ts';
import { all, type Edit } from '../edit/define.ts';
import { ownProofs } from '../edit/except.ts';
import {
  insteadOfLast,
  replaceCheck,
  withBodyCheck,
  withPipeline,
  withTraitSteps,
  withUserinfo,
} from '../edit/parts.ts';
import { letThrough } from '../edit/requests.ts';
import { has } from './conditions.ts';
import { type DeepFault, defineDeep } from './define.ts';

/** Combinations of who is asked, how he is named, and which service answers. */
export const interactionServiceFaults: readonly DeepFault[] = defineDeep('interaction', {
  'expired-hint-token-beside-a-hint': [
    'Where a login_hint stands beside an expired login_hint_token, the carrier falls back on it.',
    'LHT-009',
    withHintReader((context, strict, bySub) => {
      const found = strict(context);
      const isOver = !(Number(found.hint['exp']) > seconds(context)) && hasClaim(context, 'login_hint');
      return isOver ? { ...found, ...bySub(context), hint: { ...found.hint, exp: seconds(context) + 60 } } : found;
    }),
  ],
  'sub-over-the-hint-token': [
    'With a login_hint_token the carrier reads sub as in a token of its own, so it names the person who is asked.',
    'REQ-005',
    all(
      letThrough(['sub-is-the-client'], ({ claims }) => has('login_hint_token', 'sub')(claims)),
      withHintReader((context, strict) => {
        const found = strict(context);
        const named = context.accounts.findSub(asText(context.claims['sub']));
        return named?.clientName === context.client.name ? { ...found, subscriber: named.subscriber } : found;
      }),
    ),
  ],
  'unenrolled-reached-by-number': [
    'A login_hint with a phone number is believed to reach a phone with the app.',
    'FLOW-005',
    insteadOfLast('subscriber-has-the-app', (context) => {
      if (!asText(context.claims['login_hint']).startsWith('+')) subscriberHasTheApp.run(context);
    }),
  ],
  'silent-a3-as-a1': [
    'An SP that may be silent gets a token of a1 where it asked for a3 and the user has not signed in lately.',
    'REQ-057',
    insteadOfLast('prompt-none-is-allowed', ({ claims, client, subscriber }) => {
      if (!words(stringMember(claims, 'prompt') ?? '').includes('none')) return;
      const given = subscriber.consents.get(client.name);
      const isGiven = words(asText(claims['scope'])).every((scope) => given?.has(scope) === true);
      if (!isGiven || client.flags.get('silent_authorization_enabled') !== true) {
        refuse('interaction_required', 'the subscriber must be asked');
      }
    }),
  ],
  'proof-body-uncompared-with-a-charset': [
    'A query with a charset is written anew on its way, so the hash of its proof is not compared.',
    'UT-007 SEC-42',
    withTraitSteps(({ onFormat }) => ({
      onFormat: {
        ...onFormat,
        taap: replaceCheck(onFormat.taap, proofSignsTheRequest.name, (context, strict) => {
          if (!context.contentType.includes(';')) strict.run(context);
        }),
      },
    })),
    ownProofs,
  ],
  'edited-birthdate-of-a-scanned-owner': [
    'A scan and an owned plan are two proofs, which outvote an edit of the birthdate.',
    'UI-033 UI-035',
    withUserinfo(({ level }) => ({
      level: (scope, call) => {
        const { account } = call.subscriber;
        const isTwice = account.plan === 'postpaid' && account.holder && account.document !== undefined;
        return scope === 'birthdate' && isTwice ? 2 : level(scope, call);
      },
    })),
  ],
  'bounced-email-of-a-scanned-user': [
    'A scanned document counts for the email as well, so its level stays when the mail bounces.',
    'UI-026 UI-041',
    withUserinfo(({ level }) => ({
      level: (scope, call) =>
        scope === 'email' && call.subscriber.account.document !== undefined ? 2 : level(scope, call),
    })),
  ],
  'charset-with-members-beside-refused': [
    'A gateway applies a strict schema to a body whose charset it knows, and the schema has request alone.',
    'TRN-009 TRN-004 REQ-088',
    withBodyCheck('body-is-of-the-schema', ({ contentType, outside }) => {
      if (contentType.includes(';') && Object.keys(outside).length > 1) refuse('invalid_request', 'unknown member');
    }),
  ],
});

type Strict = (context: KeyContext) => HintTokenContext;
type BySub = (context: KeyContext) => Pick<HintTokenContext, 'subscriber'>;

/** Reads a login_hint_token in another way, given the strict one and that for a login_hint. */
function withHintReader(read: (context: KeyContext, strict: Strict, bySub: BySub) => HintTokenContext): Edit {
  return withPipeline(({ readHintToken, readSubscriber }) => ({
    readHintToken: reader(readHintToken.name, (context: KeyContext) =>
      read(context, readHintToken.read, readSubscriber.read),
    ),
  }));
}
