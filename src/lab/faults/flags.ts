import { check } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import type { ClientState } from '../../carrier/state/accounts.ts';
import { combineEdits, defineFaults, type Fault } from '../edit/fault-table.ts';
import { withEvents, withTraitSteps, withUserinfo } from '../../carrier/seams/definition-parts.ts';
import { addRefusal } from '../edit/requests.ts';

const hasFlag = ({ flags }: ClientState, flag: string): boolean => flags.get(flag) === true;

/** Refuses a usertrait query of a client without this flag of another service. */
const demandTraitFlag = (flag: string) =>
  withTraitSteps(({ onClaims }) => ({
    onClaims: [
      ...onClaims,
      check(`trait-client-has-${flag}`, ({ client }) => {
        if (!hasFlag(client, flag)) refuse('unauthorized_client', 'the client is not registered for the service', 403);
      }),
    ],
  }));

/** Withholds events from a client without this flag of another service. */
const demandEventFlag = (flag: string) =>
  withEvents(({ isReported }) => ({ isReported: (news) => isReported(news) && hasFlag(news.client, flag) }));

const trustFlags = ['usertraits_enabled', 'events', 'event_subscription', 'event_endpoint'];

/** Services that depend on the flag of another one: §1.3, §1.5, §2.12. */
export const flagFaults: readonly Fault[] = defineFaults({
  'request-needs-trust-services': [
    'An SP that is registered for a part of the trust services only may not ask for consent either (C8.6).',
    'CFG-004',
    addRefusal(
      'trust-services-are-registered-wholly',
      ({ client }) => {
        const missing = trustFlags.filter((flag) => !hasFlag(client, flag));
        return missing.length === 1;
      },
      'unauthorized_client',
    ),
  ],
  'event-needs-usertraits': [
    'Events are sent to SPs that have user traits as well (C8.6).',
    'UT-023',
    demandEventFlag('usertraits_enabled'),
  ],
  'usertrait-needs-event-registration': [
    'User traits are for SPs that are registered for events as well (C8.6).',
    'UT-023',
    combineEdits(demandTraitFlag('event_endpoint'), demandTraitFlag('event_subscription')),
  ],
  'trust-services-need-authorization': [
    'Trust services are for SPs that have server-initiated access as well (C8.6).',
    'CFG-004',
    combineEdits(demandEventFlag('server_initiated'), demandTraitFlag('server_initiated')),
  ],
  'assurance-needs-phone-hints': [
    'Levels of assurance are for SPs that may name users by phone number as well (C8.6).',
    'CFG-004',
    withUserinfo(({ hasLevels }) => ({ hasLevels: (client) => hasLevels(client) && hasFlag(client, 'enum_enabled') })),
  ],
});
