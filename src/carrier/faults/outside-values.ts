import { type Json, type JsonObject, stringMember } from '../json.ts';
import { reader } from '../pipeline/step.ts';
import { defineFaults, type Edit, type Fault, type FaultRow, type RuleIds } from './edit/define.ts';
import { leaveOut } from './edit/messages.ts';
import { withBuilders, withPipeline } from './edit/parts.ts';

/** Where an unsigned value stands. */
type Place = 'outside' | 'query';

const words: Readonly<Record<Place, string>> = { outside: 'in the body', query: 'in the URL' };

const refused = { 'conflicting-values': 'a value that differs is refused, whatever else is done with it' } as const;
const excepts: Readonly<Record<Place, NonNullable<Fault['except']>>> = { outside: refused, query: {} };

/** The claims with the value of one name from outside; without one, as they are. */
const replaced = (claims: JsonObject, name: string, value: Json | undefined): JsonObject =>
  value === undefined ? claims : { ...claims, [name]: value };

const taken = (place: Place, name: string): Edit =>
  withBuilders(({ claims }) => ({
    claims: (context) => replaced(claims(context), name, context[place][name]),
  }));

/** The subscriber is found before the claims that count are chosen. */
const hintTaken = (place: Place): Edit =>
  withPipeline(({ readSubscriber }) => ({
    readSubscriber: reader(readSubscriber.name, (context) => {
      const claims = replaced(context.claims, 'login_hint', context[place]['login_hint']);
      return { ...readSubscriber.read({ ...context, claims }), claims: context.claims };
    }),
  }));

/** The faults of one place, by name: the claim whose unsigned value counts, and what that breaks. */
function winning(
  place: Place,
  rows: Readonly<Record<string, readonly [claim: string, breaks: RuleIds, except?: Fault['except']]>>,
): readonly Fault[] {
  const faults = Object.entries(rows).map(([name, [claim, breaks, except]]): readonly [string, FaultRow<Edit>] => [
    name,
    [
      `The ${claim} ${words[place]} takes the place of the signed one (C2.2).`,
      breaks,
      claim === 'login_hint' ? hintTaken(place) : taken(place, claim),
      { except: { ...excepts[place], ...except } },
    ],
  ]);
  return defineFaults(Object.fromEntries(faults));
}

/** On values beside the request object, name by name: §2.1. */
export const outsideValueFaults: readonly Fault[] = [
  ...winning('outside', {
    'outside-state-wins': ['state', 'TRN-005 CB-010 CB-011'],
    'outside-nonce-wins': ['nonce', 'TRN-005 REQ-040 SEC-31'],
    'outside-correlation-id-wins': ['correlation_id', 'TRN-005 RSP-002 CB-008'],
    'outside-scope-wins': ['scope', 'TRN-005 CB-012'],
    'outside-notification-uri-wins': [
      'notification_uri',
      'TRN-005 CB-001',
      { 'notification-uris/one': 'there is one URI only' },
    ],
    'outside-client-notification-token-wins': ['client_notification_token', 'TRN-005 CB-004'],
    'outside-expires-in-wins': ['expires_in', 'TRN-005', { 'granted-life': 'both lives are cut to the same' }],
    'outside-login-hint-wins': ['login_hint', 'TRN-005 REQ-005'],
    'outside-context-wins': ['context', 'TRN-005 REQ-079'],
    'outside-acr-values-wins': ['acr_values', 'TRN-005'],
    'outside-options-wins': ['options', 'TRN-005'],
    'outside-redirect-uri-wins': ['redirect_uri', 'TRN-005'],
    'outside-prompt-wins': ['prompt', 'TRN-005'],
  }),
  ...winning('query', {
    'query-login-hint-wins': ['login_hint', 'TRN-008 REQ-005'],
    'query-context-wins': ['context', 'TRN-008 REQ-079'],
    'query-acr-values-wins': ['acr_values', 'TRN-008'],
    'query-prompt-wins': ['prompt', 'TRN-008'],
  }),
  ...defineFaults({
    'outside-values-win': [
      'All parameters are merged, the body over the request object.',
      'CB-001 CB-004 CB-008 CB-010 CB-011 CB-012 REQ-040 REQ-079 RSP-002 SEC-31 TRN-005',
      withBuilders(() => ({ claims: ({ claims, outside }) => ({ ...claims, ...leaveOut(outside, 'request') }) })),
      { except: refused },
    ],
    'query-wins': [
      'Parameters of the query replace those of the request object.',
      'CB-001 CB-004 CB-008 CB-010 CB-012 REQ-040 REQ-079 RSP-002 SEC-31 TRN-008',
      withBuilders(() => ({ claims: ({ claims, query }) => ({ ...claims, ...query }) })),
    ],
    'outside-values-checked': [
      'Where body and request object differ, the checks read response_type and redirect_uri of the body (C2.2).',
      'TRN-005',
      withPipeline(({ readObject }) => ({
        readObject: reader(readObject.name, (context) => {
          const object = readObject.read(context);
          const checked = ['response_type', 'redirect_uri'].filter(
            (name) => stringMember(context.outside, name) !== undefined,
          );
          const beside = Object.fromEntries(checked.map((name) => [name, context.outside[name] ?? null]));
          return { ...object, claims: { ...object.claims, ...beside } };
        }),
      })),
      { except: refused },
    ],
  }),
];
