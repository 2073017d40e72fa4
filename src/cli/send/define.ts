import { defineCommand } from '../shared/command.ts';
import { carrierFlags, json } from '../shared/flags.ts';
import { type Input, text, textOr, texts, toggle } from '../shared/inputs.ts';

/** Given without a duration it is true: until the request expires. */
const wait: Input<true | string | undefined> = {
  spec: '--wait [duration]',
  doc: 'wait for the callback: until the request expires, or as long as this',
  read: (raw) => (raw === true || typeof raw === 'string' ? raw : undefined),
};

export const sendDefinition = defineCommand({
  name: 'send',
  summary: 'send one request object and judge what comes of it',
  description:
    'Signs and sends one request object: the valid one, with the differences that the flags say. A value is JSON where it is JSON, else text, and may hold templates of the suite language.',
  args: {},
  flags: {
    claim: texts('--claim <name=value>', 'set a claim'),
    drop: texts('--drop <name>', 'leave a claim out'),
    header: texts('--header <name=value>', 'set a parameter of the JWT header'),
    dropHeader: texts('--drop-header <name>', 'leave one out'),
    beside: texts('--beside <name=value>', 'a member of the body beside request'),
    key: text('--key <name>', 'another signing key: other (not registered), second, of-second-client, secret, ...'),
    alg: text('--alg <name>', 'another algorithm'),
    tamper: text('--tamper <name>', 'a change to the finished JWS, such as payload-byte'),
    raw: text('--raw <file>', 'the text of this file is the whole body'),
    form: toggle('--form', 'form encoding instead of JSON'),
    client: textOr('--client <role>', 'the SP registration that sends', 'main'),
    subscriber: textOr('--subscriber <tag>', 'the subscriber who is asked', 'consented'),
    approve: toggle('--approve', 'the subscriber approves, by the driver of the target'),
    deny: toggle('--deny', 'the subscriber denies'),
    wait,
    ...carrierFlags,
    json,
  },
  examples: [
    '--claim context=Approve-order-4711',
    '--claim "iat={{ now - 6m }}" --drop jti',
    '--key other --header kid=unknown1',
    '--approve --wait --json',
  ],
});
