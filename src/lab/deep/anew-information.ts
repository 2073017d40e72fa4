import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { subscriberHasTheApp } from '../../carrier/checks/subscriber.ts';
import { traitSubscriberConsented } from '../../carrier/checks/usertrait.ts';
import { type ClientContext, reader } from '../../carrier/context.ts';
import { asText, stringMember } from '../../carrier/json.ts';
import { Refusal, refuse } from '../../carrier/refusal.ts';
import {
  replaceCheck,
  replaceSubscriberCheck,
  withBuilders,
  withCancel,
  withPipeline,
  withTraitSteps,
  withUserinfo,
} from '../../carrier/seams/definition-parts.ts';
import { defineFaults, markDeep } from '../edit/fault-table.ts';
import { changeFailure } from '../edit/messages.ts';

/** Runs a check and gives its refusal more header fields. */
function refuseWithHeaders(run: () => void, headers: Readonly<Record<string, string>>): void {
  try {
    run();
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    const { error, description, status } = failure;
    throw new Refusal(error, description, { status, headers: { ...failure.headers, ...headers } });
  }
}

const refusalLeaks = defineFaults({
  'unenrolled-told-by-retry-after': [
    'A user without the app may install it soon, so the refusal has a Retry-After, which one for an unknown user lacks.',
    'SEC-35',
    replaceSubscriberCheck('subscriber-has-the-app', (context) => {
      refuseWithHeaders(() => subscriberHasTheApp.run(context), { 'retry-after': '3600' });
    }),
  ],
  'known-number-takes-longer': [
    'A phone number is looked up before the flag of the SP, and for a known one the carrier calls its register.',
    'SEC-35 REQ-066',
    withPipeline(({ readKey }) => ({
      readKey: reader(readKey.name, async (context: ClientContext) => {
        const { accounts, claims } = context;
        if (accounts.findPhone(stringMember(claims, 'login_hint') ?? '') !== undefined) await sleep(25);
        return readKey.read(context);
      }),
    })),
  ],
  'stack-in-the-callback-of-a-lost-consent': [
    'A request that may no longer complete ends in an exception, whose text goes into the callback.',
    'SEC-36',
    changeFailure(({ error_description: text }, { request: { state } }) =>
      state === 'failed' ? { error_description: `${asText(text)} at GrantStore.issue (/srv/idp/grants.js:88:13)` } : {},
    ),
  ],
  'cancel-tells-within-a-sector': [
    'SPs of one sector are one company for the cancel endpoint, which tells each of the requests of the others.',
    'SEC-45',
    withCancel(({ onRequest }) => ({
      onRequest: replaceCheck(onRequest, 'cancel-is-by-the-client-that-asked', (context, strict) => {
        const { client, request } = context;
        if (client !== request.client && client.sector === request.client.sector) {
          refuse('access_denied', 'the request is of another client of the sector', 403);
        }
        strict.run(context);
      }),
    })),
  ],
  'tenure-told-by-a-cache': [
    'The tenure is fetched before the consent is checked, and a header tells whether a cache had the SIM already.',
    'UT-019 UT-020',
    withTraitSteps(({ onSubscriber }) => ({
      onSubscriber: replaceCheck(onSubscriber, traitSubscriberConsented.name, (context, strict) => {
        const { subscriber, now, policy } = context;
        const isNew = now - (subscriber.simChangedAt ?? -Infinity) < policy.simTenureWindow * 1000;
        refuseWithHeaders(() => strict.run(context), { 'x-cache': isNew ? 'miss' : 'hit' });
      }),
    })),
  ],
});

const messageLeaks = defineFaults({
  'profile-of-the-account-with-long-access': [
    'Long access is kept for the account, so a token with offline_access reads all scopes that the user has consented to.',
    'SEC-34',
    withUserinfo(({ scopes }) => ({
      scopes: (approved, client, subscriber) => {
        const given = scopes(approved, client, subscriber);
        const all = [...(subscriber.consents.get(client.name) ?? [])];
        return given.includes('offline_access') ? [...new Set([...given, ...all])] : given;
      },
    })),
  ],
  'auth-req-id-ends-with-the-context': [
    'An auth_req_id ends with a check sum of the context, so equal orders of any users can be recognized.',
    'SEC-23',
    withBuilders(({ authReqId }) => ({
      authReqId: (wanted) => {
        if (wanted.context === undefined) return authReqId(wanted);
        const sum = createHash('sha256').update(wanted.context).digest('hex').slice(0, 12);
        return `${authReqId(wanted).slice(0, 25)}${sum}`;
      },
    })),
  ],
});

/** Faults that tell more than the interface allows, written from the interface alone. */
export const anewInformationFaults = markDeep('information', [...refusalLeaks, ...messageLeaks]);
