require "openssl"

def uid_hash(uid)
  seconds = Time.now.to_i
  digest = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("USHER_UID_SECRET"), "#{uid}-#{seconds}")
  "#{digest}-#{seconds}"
end
