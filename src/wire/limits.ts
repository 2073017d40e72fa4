/** Bytes of a body that are kept, coded or not; the rest is counted and dropped. */
export const bodyLimit = 256 * 1024;

/** Bytes after which a connection is closed: nothing that a carrier sends is longer. */
export const floodLimit = 8 * 1024 * 1024;
