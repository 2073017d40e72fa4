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

/** Services that depend on the flag of another one: §1.3, §1.5, §2.12. */
export const flagFaults: readonly Fault[] = defineFaults({
  'request-needs-event-endpoint': [
    'An SP that is subscribed to events and has no event endpoint may not ask for consent either (C8.6).',
    'CFG-004',
    addRefusal(
      'events-are-registered-wholly',
      ({ client }) => hasFlag(client, 'event_subscription') && !hasFlag(client, 'event_endpoint'),
      'unauthorized_client',
    ),
  ],
  'event-needs-usertraits': [
    'Events are sent to SPs that have user traits as well (C8.6).',
    'UT-023',
    demandEventFlag('usertraits_enabled'),
  ],
  'usertrait-needs-event-endpoint': [
    'User traits are for SPs that have an event endpoint as well (C8.6).',
    'UT-023',
    demandTraitFlag('event_endpoint'),
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
