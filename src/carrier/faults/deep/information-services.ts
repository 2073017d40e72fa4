import { traitSubscriberIsLinked } from '../../checks/usertrait.ts';
import { refuse } from '../../refusal.ts';
import { replaceCheck, withCancel, withTraitSteps, withUserinfo } from '../edit/parts.ts';
import { type DeepFault, defineDeep } from './define.ts';

/** What the other endpoints tell whom it is no concern of. */
export const serviceInformationFaults: readonly DeepFault[] = defineDeep('information', {
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
      scopes: (approved, client) => {
        const given = scopes(approved, client);
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
