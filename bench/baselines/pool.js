import mysql from 'mysql2/promise';

/** As many connections as the service has by default. */
export const pool = mysql.createPool({ uri: process.env.DATABASE_URL, connectionLimit: 10, timezone: 'Z' });

/**
 * Runs `work` in a transaction and commits it; rolls back when it throws.
 * @param work gets the connection
 */
export async function transact(work) {
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    await work(connection);
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  } finally {
    connection.release();
  }
}
