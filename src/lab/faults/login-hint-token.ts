import { constants, createDecipheriv, privateDecrypt } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { loginHintTokenNamesASubscriber } from '../../carrier/checks/subscriber.ts';
import { decryptJwe, type HintKeys, type HintOpener } from '../../carrier/jose/jwe.ts';
import { isJsonObject, type JsonObject, stringMember } from '../../carrier/json.ts';
import { type HintTokenContext, type KeyContext, reader } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import { defineFaults, ecKeyExcept, type Edit } from '../edit/fault-table.ts';
import { withPipeline } from '../../carrier/seams/definition-parts.ts';

/** RFC 3394 §2.2.3.1. */
const keyWrapIv = Buffer.alloc(8, 0xa6);

/** Largest iteration count that the library accepts. */
const maxRounds = 2 ** 31 - 1;

/** Omissions of a careless decrypter. */
interface Leniency {
  readonly tag?: 'any length' | 'unchecked';
  /** The tag does not cover the header. */
  readonly withoutHeader?: true;
}

/** Faults of the encryption and the life of a login_hint_token (§2.7). */
export const loginHintTokenFaults = defineFaults({
  'hint-token-tag-not-checked': [
    'A login_hint_token is decrypted and parsed; its tag is not compared (C2.19).',
    'LHT-009',
    openHintWith(({ hintKey }, token) => openLeniently(unwrap(hintKey), token, { tag: 'unchecked' })),
  ],
  'hint-token-by-the-published-key': [
    'The key that signs also decrypts, so anyone can make a login_hint_token with the published half (C4.1).',
    'LHT-009',
    alsoOpenHint(['RSA-OAEP-256', 'RSA-OAEP'], (keys, token) =>
      openLeniently(byRsa(keys, constants.RSA_PKCS1_OAEP_PADDING), token),
    ),
    ecKeyExcept,
  ],
  'hint-token-by-rsa1-5': [
    'RSA1_5 is left on in the library for an old partner, with the key that signs (C4.1).',
    'LHT-009',
    alsoOpenHint(['RSA1_5'], (keys, token) => openLeniently(byRsa(keys, constants.RSA_PKCS1_PADDING), token)),
    ecKeyExcept,
  ],
  'hint-token-by-the-zero-key': [
    'The key of login_hint_tokens was never set, and is 32 zero bytes beside the right one (C4.1).',
    'LHT-009',
    alsoOpenHint(['A256KW', 'dir'], (_, token) =>
      openLeniently((wrapped) => (wrapped.length === 0 ? Buffer.alloc(32) : unwrap(Buffer.alloc(32))(wrapped)), token),
    ),
  ],
  'hint-token-pbes2-500': [
    'The carrier makes as many rounds as p2c says, and ends in an internal error if the library cannot count them (C4.1).',
    'TRN-015 LHT-009',
    failOnHeader(({ p2c }) => Number(p2c) > maxRounds),
  ],
  'hint-token-off-curve-500': [
    'A point that is not on the curve ends in an internal error (C4.1).',
    'TRN-015 LHT-009',
    failOnHeader(({ epk }) => epk !== undefined),
  ],
  'hint-token-of-the-sp-believed': [
    'Three parts pass for a login_hint_token of an earlier version, and are believed.',
    'LHT-009',
    alsoOpenHint(undefined, (_, token) => (token.split('.').length === 3 ? jwePayload(token) : undefined)),
  ],
});

/** Reads login_hint_tokens with `open`. */
function openHintWith(open: HintOpener): Edit {
  return changeHintReader((context) =>
    loginHintTokenNamesASubscriber.read({ ...context, openHintToken: (token) => context.openHintToken(token, open) }),
  );
}

function changeHintReader(read: (context: KeyContext) => HintTokenContext): Edit {
  return withPipeline(({ readHintToken }) => ({ readHintToken: reader(readHintToken.name, read) }));
}

/** Also accepts tokens that `open` reads, and believes their claims: their sub may be one of the SP's. */
function alsoOpenHint(algs: readonly string[] | undefined, open: HintOpener): Edit {
  return changeHintReader((context) => {
    const believed: HintOpener = (keys, token) => {
      const own = decryptJwe(keys.hintKey, token);
      if (own !== undefined || (algs !== undefined && !algs.includes(stringMember(jweHeader(token), 'alg') ?? ''))) {
        return own;
      }
      const hint = open(keys, token);
      const found = context.accounts.findSub(stringMember(hint ?? {}, 'sub') ?? '');
      return hint && found && { ...hint, sub: found.subscriber.name, client_id: context.client.clientId };
    };
    return loginHintTokenNamesASubscriber.read({
      ...context,
      openHintToken: (token) => context.openHintToken(token, believed),
    });
  });
}

function failOnHeader(breaksIt: (header: JsonObject) => boolean): Edit {
  return openHintWith(({ hintKey }, token) => {
    if (breaksIt(jweHeader(token))) refuse('server_error', 'the carrier failed', 500);
    return decryptJwe(hintKey, token);
  });
}

type OpenKey = (encrypted: Buffer) => Buffer;

function unwrap(key: Buffer): OpenKey {
  return (encrypted) => {
    const cipher = createDecipheriv('id-aes256-wrap', key, keyWrapIv);
    return Buffer.concat([cipher.update(encrypted), cipher.final()]);
  };
}

function byRsa({ signingKey }: HintKeys, padding: number): OpenKey {
  return (encrypted) => {
    if (padding === constants.RSA_PKCS1_OAEP_PADDING) {
      return privateDecrypt({ key: signingKey.privateKey, padding, oaepHash: 'sha256' }, encrypted);
    }
    // 00 02, non-zero padding, 00, and the key (RFC 8017 §7.2.1).
    const block = privateDecrypt({ key: signingKey.privateKey, padding: constants.RSA_NO_PADDING }, encrypted);
    return block.subarray(block.indexOf(0, 2) + 1);
  };
}

/** Returns the claims of an A256GCM JWE; undefined if it cannot be decrypted. */
function openLeniently(openKey: OpenKey, token: string, { tag, withoutHeader }: Leniency = {}): JsonObject | undefined {
  const [header = '', ...rest] = token.split('.');
  if (rest.length !== 4) return undefined;
  const part = (at: number): Buffer => Buffer.from(rest[at] ?? '', 'base64url');
  const [encrypted, iv, text, given] = [part(0), part(1), part(2), part(3)];
  try {
    const authTagLength = tag === 'any length' ? given.length : 16;
    const decipher = createDecipheriv('aes-256-gcm', openKey(encrypted), iv, { authTagLength });
    if (withoutHeader !== true) decipher.setAAD(Buffer.from(header, 'ascii'));
    if (tag === 'unchecked') return parseObject(decipher.update(text));
    decipher.setAuthTag(given);
    const plain = Buffer.concat([decipher.update(text), decipher.final()]);
    return parseObject('zip' in jweHeader(token) ? inflateRawSync(plain) : plain);
  } catch {
    return undefined;
  }
}

function jweHeader(token: string): JsonObject {
  return parseObject(Buffer.from(token.split('.')[0] ?? '', 'base64url')) ?? {};
}

function jwePayload(token: string): JsonObject | undefined {
  return parseObject(Buffer.from(token.split('.')[1] ?? '', 'base64url'));
}

function parseObject(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
