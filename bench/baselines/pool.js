import mysql from 'mysql2/promise';

/** As many connections as the service has by default. */
export const pool = mysql.createPool({
  uri: process.env.DATABASE_URL,
  connectionLimit: 10,
  timezone: 'Z',
});
