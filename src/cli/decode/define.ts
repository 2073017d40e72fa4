import { defineCommand } from '../shared/command.ts';
import { json, jwks, suites } from '../shared/flags.ts';
import { text } from '../shared/inputs.ts';

export const decodeDefinition = defineCommand({
  name: 'decode',
  summary: 'show what a request object, a token or a body is, and the rules it breaks',
  description:
    'Decodes a compact JWS (request object, id token, event token, client assertion, proof) or a JSON body, and says which rules it breaks as far as it shows them alone. It sends nothing.',
  args: { message: text('[message]', 'the message, @file or the path of a file; without it, or with -, stdin') },
  flags: { jwks, suites, json },
  examples: [
    `'{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300}'`,
    '@callback.json --jwks keys.json',
    'request.jwt --json',
  ],
});
