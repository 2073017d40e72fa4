import { context8To240 } from '../../carrier/checks/claims.ts';
import {
  subscriberConsentedToOpenid,
  subscriberHasTheApp,
  unreachableDescription,
} from '../../carrier/checks/subscriber.ts';
import { traitSubscriberIsLinked } from '../../carrier/checks/usertrait.ts';
import { asText, stringMember } from '../../carrier/json.ts';
import { check, type KeyContext, reader, type SubscriberContext } from '../../carrier/context.ts';
import { Refusal, refuse } from '../../carrier/refusal.ts';
import type { SubscriberState } from '../../carrier/state/accounts.ts';
import { markDeep, defineFaults, type Edit, faultTable } from '../edit/fault-table.ts';
import {
  replaceCheck,
  replaceClaimCheck,
  replaceSubscriberCheck,
  withBuilders,
  withCancel,
  withPipeline,
  withTraitSteps,
  withUserinfo,
} from '../../carrier/seams/definition-parts.ts';
import { claimIs, type ClaimsCondition } from '../edit/requests.ts';

/** Disclosure of a user's status: by which check, when, and with which code. */
type UserDisclosure = readonly [check: 'app' | 'consent', when: ClaimsCondition, error: string];

const strictChecks = { app: subscriberHasTheApp, consent: subscriberConsentedToOpenid };

const userDisclosures = faultTable(discloseUser, {
  'unconsented-told-to-prompt-none': [
    'prompt none has codes of its own in OpenID Connect, so it tells users without consent from unknown ones.',
    'SEC-35',
    ['consent', claimIs('prompt', 'none'), 'consent_required'],
  ],
});

/** Description that shows the inside of the carrier: when, and its text. */
type InternalDescription = readonly [when: (context: KeyContext) => boolean, description: string];

const internalDescriptions = faultTable(overrideDescription, {
  'internal-host-for-long-identifiers': [
    'A jti that is too long for the key of the store is refused with the message of the store.',
    'SEC-36',
    [({ claims }) => asText(claims['jti']).length > 250, 'ERR key too long at replay-01.core.internal:6379'],
  ],
});

const otherDisclosures = defineFaults({
  'known-number-burns-the-jti': [
    'A phone number is looked up before the flag of the SP, and the jti of a request for a known one is kept.',
    'SEC-35 REQ-066',
    withPipeline(({ readSubscriber }) => ({
      readSubscriber: reader(readSubscriber.name, (context: KeyContext) => {
        const { accounts, claims, client, replays, now, policy } = context;
        const isKnown = accounts.findPhone(stringMember(claims, 'login_hint') ?? '') !== undefined;
        const key = JSON.stringify([client.clientId, 'number', asText(claims['jti'])]);
        if (isKnown && client.flags.get('enum_enabled') !== true && !replays.takeFirst(key, now, policy.jtiWindow)) {
          refuse('invalid_request', 'the request object was sent before');
        }
        return readSubscriber.read(context);
      }),
    })),
    { stateful: true },
  ],
  'unknown-users-told-before-a-long-context': [
    'The carrier looks the user up before it measures the context, and of two mistakes names what tells more.',
    'SEC-35',
    replaceClaimCheck('context-8-to-240', (context) => {
      const hint = stringMember(context.claims, 'login_hint');
      const isUnknown = hint !== undefined && !hint.startsWith('+') && context.accounts.findSub(hint) === undefined;
      if (isUnknown) refuse(context.policy.unknownHintError, unreachableDescription);
      context8To240.run(context);
    }),
  ],
  'known-users-held-back-after-five': [
    'The carrier counts refusals by user, so the sixth differs for one who exists from one who does not.',
    'SEC-35',
    limitRefusals(5),
    { stateful: true },
  ],
  'correlation-id-of-the-request-before': [
    'The error page keeps the last correlation_id for its log, and writes it where a refused request has none.',
    'ERR-001',
    (definition) => {
      let last: string | undefined;
      return withBuilders(({ refusal }) => ({
        refusal: (reason, correlationId) => {
          const written = correlationId ?? last;
          last = correlationId ?? last;
          return refusal(reason, written);
        },
      }))(definition);
    },
    { stateful: true },
  ],
  // Endpoints that disclose information to a caller without the right to it.
  'cancel-tells-of-ended-requests': [
    'The cancel endpoint says that a request is no longer pending before it looks whose it is.',
    'SEC-45',
    withCancel(({ onRequest }) => ({ onRequest: onRequest.toReversed() })),
  ],
  'unlinked-with-a-new-sim-refused-otherwise': [
    'The fraud check runs first, so the refusal for a user whose app is not linked tells whether the SIM is new.',
    'UT-019 UT-026',
    withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: replaceCheck(onSubscriber, traitSubscriberIsLinked.name, (context, strict) => {
        const { subscriber, client, now, policy } = context;
        const isNew = now - (subscriber.simChangedAt ?? -Infinity) < policy.simTenureWindow * 1000;
        if (isNew && subscriber.unlinked.has(client.name)) refuse('temporarily_unavailable', 'under review', 403);
        strict.run(context);
      }),
    })),
  ],
  'number-beside-birthdate-and-address': [
    'Birthdate and address together are the bundle for identity checks, which has the phone number as well.',
    'SEC-34',
    withUserinfo(({ scopes }) => ({
      scopes: (approved, client, subscriber) => {
        const given = scopes(approved, client, subscriber);
        const isBundle = given.includes('birthdate') && given.includes('address') && !given.includes('phone');
        return isBundle ? [...given, 'phone'] : given;
      },
    })),
  ],
  'levels-of-rescanned-attributes-for-all': [
    'A scan writes the level into the attribute, so SPs that were never approved for levels get it too.',
    'UI-023 UI-024',
    withUserinfo(({ attribute }) => ({
      attribute: (scope, call) => {
        const found = attribute(scope, call);
        return found !== undefined && call.subscriber.rescanned.has(scope) ? { ...found, verified: 2 } : found;
      },
    })),
  ],
});

export const informationFaults = markDeep('information', [
  ...userDisclosures,
  ...internalDescriptions,
  ...otherDisclosures,
]);

function discloseUser([name, when, error]: UserDisclosure): Edit {
  const strict = strictChecks[name];
  return replaceSubscriberCheck(strict.name, (context) => {
    try {
      strict.run(context);
    } catch (failure) {
      if (when(context.claims)) refuse(error, unreachableDescription);
      throw failure;
    }
  });
}

/** Gives refusals of the user, and of a repeated jti, this description. */
function overrideDescription([when, description]: InternalDescription): Edit {
  const described = <T>(context: KeyContext, act: () => T): T => {
    try {
      return act();
    } catch (failure) {
      if (!(failure instanceof Refusal) || !when(context)) throw failure;
      throw new Refusal(failure.error, description, failure);
    }
  };
  return withPipeline(({ onSubscriber, readSubscriber, readHintToken }) => ({
    onSubscriber: onSubscriber.map(({ name, run }) =>
      check(name, (context: SubscriberContext) => described(context, () => run(context))),
    ),
    readSubscriber: reader(readSubscriber.name, (context: KeyContext) =>
      described(context, () => readSubscriber.read(context)),
    ),
    readHintToken: reader(readHintToken.name, (context: KeyContext) =>
      described(context, () => readHintToken.read(context)),
    ),
  }));
}

function limitRefusals(most: number): Edit {
  return (definition) => {
    const counts = new WeakMap<SubscriberState, number>();
    return replaceSubscriberCheck('subscriber-consented-to-openid', (context) => {
      const count = counts.get(context.subscriber) ?? 0;
      if (count >= most) refuse('temporarily_unavailable', unreachableDescription);
      try {
        subscriberConsentedToOpenid.run(context);
      } catch (failure) {
        counts.set(context.subscriber, count + 1);
        throw failure;
      }
    })(definition);
  };
}
