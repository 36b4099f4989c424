import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class UidHash {
    static String of(String uid) throws Exception {
        long seconds = System.currentTimeMillis() / 1000;
        byte[] key = System.getenv("USHER_UID_SECRET").getBytes(StandardCharsets.UTF_8);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        byte[] digest = mac.doFinal((uid + "-" + seconds).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest) + "-" + seconds;
    }
}
