/** Bytes of a body that are kept, decoded or not; the rest is counted and dropped. */
export const maxBodyBytes = 256 * 1024;

/** Bytes after which a connection is closed, and the body judged as too long. */
export const maxReceivedBytes = 8 * 1024 * 1024;

/** Bytes of the header of a message, in either direction; Node's own limit is 16 KB. */
export const maxHeaderBytes = 128 * 1024;

const headerLimitWords = `is longer than ${maxHeaderBytes / 1024} KB, which is the limit of carrierspec and not of the interface`;

/** Why a message with a longer header has no verdict: the limit is ours, not the carrier's (P11). */
export const longHeaderReason = {
  response: `the header of the response ${headerLimitWords}`,
  delivery: `the header of a delivery ${headerLimitWords}`,
} as const;

/** Keeps the start of a body as it arrives, in one buffer however small its chunks are. */
interface BodyCollector {
  readonly add: (chunk: Buffer) => void;
  /** Bytes received. */
  readonly bytes: () => number;
  /** Bytes kept. */
  readonly body: () => Buffer;
}

const firstSize = 1024;

export function createBodyCollector(): BodyCollector {
  let kept = Buffer.alloc(0);
  let used = 0;
  let bytes = 0;
  return {
    add: (chunk) => {
      bytes += chunk.length;
      const part = chunk.subarray(0, maxBodyBytes - used);
      if (used + part.length > kept.length) {
        const size = Math.min(maxBodyBytes, Math.max(firstSize, 2 * kept.length, used + part.length));
        const larger = Buffer.alloc(size);
        kept.copy(larger, 0, 0, used);
        kept = larger;
      }
      used += part.copy(kept, used);
    },
    bytes: () => bytes,
    body: () => kept.subarray(0, used),
  };
}
