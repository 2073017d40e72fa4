import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'rolldown';

/** As base64 of Brotli: what it gives is the same on every release of Node that is supported, and so is the digest of the program. */
const pack = (bytes: Uint8Array | string): string =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }).toString(
    'base64',
  );

const unpacked = "import { brotliDecompressSync as unpack } from 'node:zlib';\n";

/** An expression that is the value, where `moduleOf` puts it. */
const expressionOf = (value: unknown): string =>
  `JSON.parse(unpack(Buffer.from('${pack(JSON.stringify(value))}', 'base64')).toString())`;

/** A module that begins with a constant `packed`, which is this value. */
export const moduleOf = (value: unknown, text: string): string =>
  `${unpacked}const packed = ${expressionOf(value)};\n${text}`;

const wasm = /'use strict'\n+const \{ Buffer \} = require\('node:buffer'\)\n+const wasmBase64 = '([\w+/=]+)'/;
const decoded = "Buffer.from(wasmBase64, 'base64')";

/** The parser of HTTP in undici, which has it as base64 of WebAssembly, for processors with and without vectors. */
export function packParser(code: string): string {
  const base64 = wasm.exec(code)?.[1];
  if (base64 === undefined || !code.includes(decoded)) throw new Error('undici has its parser in another form');
  return code
    .replace(base64, pack(Buffer.from(base64, 'base64')))
    .replace(decoded, `require('node:zlib').brotliDecompressSync(${decoded})`);
}

const table = /^export const (\w+) = (?:\/\*#__PURE__\*\/ )?(?:new (\w+)\(\[([\d, ]*)\]\)|("[^"\\]*"|\d+));$/gm;

/** The public suffix list in tldts: arrays of numbers, texts and numbers. */
export function packSuffixes(code: string): string {
  const found = [...code.matchAll(table)];
  if (found.length !== code.match(/^export /gm)?.length) throw new Error('tldts has its list in another form');
  const values = found.map(([, , , numbers, plain = '']): unknown =>
    JSON.parse(numbers === undefined ? plain : `[${numbers}]`),
  );
  const names = found.map(([, name = '', type], at) =>
    type === undefined ? `export const ${name} = packed[${at}];` : `export const ${name} = new ${type}(packed[${at}]);`,
  );
  return moduleOf(values, `${names.join('\n')}\n`);
}

/** Data that is a third of a package, compressed in the bundle: what a package has too much of is not code. */
const packings: readonly (readonly [file: RegExp, change: (code: string) => string])[] = [
  [/\/undici\/lib\/llhttp\/llhttp(?:_simd)?-wasm\.js$/, packParser],
  [/\/tldts\/dist\/es6\/src\/data\/trie\.js$/, packSuffixes],
];

export const dataPacked: Plugin = {
  name: 'data-packed',
  transform: (code, id) => {
    const change = packings.find(([file]) => file.test(id))?.[1];
    return change === undefined ? undefined : { code: change(code), moduleSideEffects: false };
  },
};
