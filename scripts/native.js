/** Packages with native code: they are not in `dist`, but beside it. The Dockerfile names the files of them that run. */
export const NATIVE = ['better-sqlite3', '@node-rs/argon2'];
